/* test_html.c: web pages. */
#include "document_case.h"

static const struct document_row rows[] = {
    { "<p>one <b>two</b></p>\n<p>three", "one <x1>two</x1>|three|",
      "<p>ONE <b>TWO</b></p>\n<p>THREE" },
    { "<!DOCTYPE html>\r\n<html><head><title>my page</title><style>p { a: b }</style>\r\n"
      "<script>if (a < b) x(\"<p>no</p>\");</script></head><body>\r\n  <h1> a  title\r\n </h1>",
      "my page|a title|",
      "<!DOCTYPE html>\r\n<html><head><title>MY PAGE</title><style>p { a: b }</style>\r\n"
      "<script>if (a < b) x(\"<p>no</p>\");</script></head><body>\r\n  <h1> A TITLE\r\n </h1>" },
    { "\xEF\xBB\xBF<li><a href='x'>home</a><li><i><b>all</b></i> <br>of it", "home|all|of it|",
      "\xEF\xBB\xBF<li><a href='x'>HOME</a><li><i><b>ALL</b></i> <br>OF IT" },
    { "<p>use <code>ls <b>-l</b></code> and <kbd>x</kbd> now<pre>no\n<b>no</b></pre>yes",
      "use <x1/> and <x2/> now|yes|",
      "<p>USE <code>ls <b>-l</b></code> AND <kbd>x</kbd> NOW<pre>no\n<b>no</b></pre>YES" },
    { "<p>a&nbsp;&lt;b&gt; &amp; c &quot;d&quot; AT&T &copy; &nosuch; &#233;",
      "a\xC2\xA0<b> & c \"d\" AT&T \xC2\xA9 <x1/> \xC3\xA9|", NULL },
    { "<p>a &lt;x1&gt; <i>b</i>", "a <x1> <g1>b</g1>|", "<p>A &lt;x1&gt; <i>B</i>" },
    /* Values, alone and in a text. */
    { "<div title=\"a box\"><img alt='it&#39;s' src=x>"
      "see <img alt=this> here <a title='a \"q\"' href=y>now</a></div>",

      "a box|it's|this|a \"q\"|<x1/>see <x2/> here <x3>now</x3>|",
      "<div title=\"A BOX\"><img alt='IT&#39;S' src=x>"
      "SEE <img alt=\"THIS\"> HERE <a title='A \"Q\"' href=y>NOW</a></div>" },

    { "<input placeholder=\" your name \" value=x><b aria-label=yes TITLE=''></b>",
      "your name|yes|",
      "<input placeholder=\" YOUR NAME \" value=x><b aria-label=\"YES\" TITLE=''></b>" },
    { "<p title=\"&nosuch; x\">12 <b>34</b>", "", NULL },
    /* What is to stay. */
    { "<p>a <span translate=no>b <span>c</span> d</span> "
      "e <b translate=\"no\">f</b><div translate=no>g<div>h</div></div>i",

      "a <x1/> e <x2/>|i|",
      "<p>A <span translate=no>b <span>c</span> d</span> "
      "E <b translate=\"no\">f</b><div translate=no>g<div>h</div></div>I" },

    { "<ul><li translate=no>a<p>x<ul><li>b</ul>c<b>d</b></ul>e<p translate=no>f<div>g</div></p>h",
      "e|h|",
      "<ul><li translate=no>a<p>x<ul><li>b</ul>c<b>d</b></ul>E<p translate=no>f<div>g</div></p>H" },
    { "<li translate=no>a<li>b</ul><br translate=no>c <textarea>d</textarea><!-- e --> f", "b|c|f|",
      "<li translate=no>a<li>B</ul><br translate=no>C <textarea>d</textarea><!-- e --> F" },
    { "<p>a <code>b<p>c <!-- d > e --> f <svg><title>g</title></svg>", "a <x1/>|c <x1/> f <x2/>|",
      "<p>A <code>b<p>C <!-- d > e --> F <svg><title>g</title></svg>" },
    /* What is broken. */
    { "a < b <3 </ x> <>c <b>d</i> e <i>f</b> g</i>", NULL,
      "A &lt; b &lt;3 </ x> &lt;&gt;C <b>D</i> E <i>F</b> G</i>" },
    { "a <b>c <i class=\"x", "a <x1/>c|", "A <b>C <i class=\"x" },
    { "x <!-- y", "x|", "X <!-- y" },
    { "bad \xFF<p>good", "good|", "bad \xFF<p>GOOD" },
    { "<script/>a", "", NULL },
    { "", "", "" },
};

TEST(document_html_has_texts)
{
    check_rows("html", rows, sizeof rows / sizeof *rows);
}

TEST(document_html_may_be_hostile)
{
    static const char *const texts[] = {
        "<",
        "<a",
        "<a b=\"",
        "</",
        "<!--",
        "<!",
        "<?",
        "<b>",
        "<b>a",
        "</b>",
        "<div>",
        "<div>a",
        "</p>",
        "<code>",
        "<pre>",
        "<code>a<p>",
        "<title>",
        "<textarea>",
        "<p translate=no>",
        "<i translate=no>",
        "&",
        "&amp;",
        "&#",
        "&x;",
        "<img alt=a>",
        "a<img alt=a>",
        "<a title=\"",
        "<b title=a>c</b>",
        "\xFF",
        "a <b>b</i>",
        "=",
        "<a =",
        "<svg>",
        "<script>",
        "</script",
        "-->",
        "]]>",
    };

    check_hostile("html", texts, sizeof texts / sizeof *texts);
    check_bytes("html", "<p>a\0b<i \0>c</p>\0d", 19, NULL, NULL);
}
