/* format_list.h: the formats of documents. FORMAT(name): dgm_document_<name>, in a file beside. */
FORMAT(html)
FORMAT(markdown)
FORMAT(srt)
FORMAT(vtt)
FORMAT(po)
#undef FORMAT
