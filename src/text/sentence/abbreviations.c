/* abbreviations.c: words of 20 languages that take a full stop, and that begin sentences. */
#include "text/sentence/abbreviations.h"

#include <string.h>

/* clang-format off */
static const struct dgm_sentence_language languages[] = {
    { .code = "en",
      .inside = " mr mrs ms mx dr prof messrs mlle mme msgr lt capt cmdr maj sgt cpl pvt brig "
                "adm ens supt insp det atty st ste mt ft vs e.g i.e cf viz approx resp incl esp "
                "ca Ph asst assoc univ intl natl Wm Chas Geo Jas Thos Jos Pt Rt Rep Reps Sen "
                "Sens Gen Col Pres Gov Hon Fr ",
      .numbers = " no nos fig figs eq eqs art arts sec secs ch chap vol vols pp p par para ex "
                 "tab tel ext op app cl reg v jan feb mar apr jun jul aug sep sept oct nov dec "
                 "ver ",
      .either = " etc al inc ltd co corp bros llc plc jr sr esq u.s u.k u.n e.u u.s.a a.m p.m "
                "a.d b.c d.c l.a n.y ph.d m.d b.a m.a b.sc m.sc ave blvd rd sq dept est min max "
                "hr hrs ed eds trans orig misc tech mfg bldg Mon Tue Tues Wed Thu Thurs Fri Sat "
                "Sun lb lbs oz yr yrs mo mos r.i.p p.s ",
      .starts = " the a an this that these those he she it we they i you his her its our their "
                "my your there here in on at by for from with when while if as after before "
                "since although though because however but and or so yet what who why how where "
                "which whether please let no not yes also then thus now one some many most all "
                "each every both another such other to of is are was were do does did can could "
                "will would should may have has had according during under over despite until "
                "once just only even still perhaps maybe nor among between without within "},
    { .code = "de",
      .inside = " dr prof hr fr frl hrn dipl ing st bzw vgl evtl ggf ca z.b d.h u.a.m sog bspw "
                "insb insbes inkl exkl zzgl bes urspr eigtl allg lat griech engl franz frz dt "
                "ital span russ türk arab hebr jap chin röm kath ev geb gest verh gegr mdl "
                "schriftl med phil jur rer nat theol habil h.c i.d.r i.a i.v i.b m.e o.g u.u v.a "
                "s.o s.u u.ä.m z.t z.zt a.d b.d f.d gem lt einschl abzgl vorm nachm tägl "
                "wöchentl jährl durchschn Hl Ges Gen Maj Hptm Lt Abt Hgb zit i.S i.e v.l.n.r "
                "bzgl betr beil entspr gelegentl gesch ehem i.Ü o.ä.m Zs Wwe jew div verst erw "
                "Mag mind ",
      .numbers = " nr nrn art abs aufl bd bde s abb abschn anm ziff kap tab tel rdnr rn vers §§ "
                 "pos jan feb mär apr jun jul aug sep sept okt nov dez ver vol sp ",
      .either = " usw etc u.a u.ä o.ä u.s.w usf ff f ebd str jh jhd jhdt jahrh n.chr v.chr chr "
                "mio mrd tsd gmbh co ltd inc corp jr sr jun sen std sek hrsg hg red pl dgl desgl "
                "u.dgl z.z u.v.m u.a.m e.v i.r a.d.s b.v u.k u.s s.a d.j d.m l.j v.j uvm Std "
                "i.tr a.m ",
      .starts = " der die das den dem des ein eine einen einem einer eines dieser diese dieses "
                "diesem diesen er sie es wir ihr ich du man sein seine seinen seiner ihre ihren "
                "ihrer ihrem unser unsere mein meine und aber oder doch denn sondern in im am an "
                "auf aus bei beim mit nach vor von vom zu zum zur für über unter durch um gegen "
                "ohne bis seit während wegen trotz zwischen wenn als ob weil da dass obwohl "
                "nachdem bevor damit dabei dadurch dafür daher danach dann dort hier heute "
                "gestern jetzt nun so auch nur noch schon sehr alle allerdings jedoch außerdem "
                "zudem ferner deshalb deswegen somit wie was wer wo warum wann welche welcher "
                "welches viele einige mehrere andere beide kein keine nicht nie ja nein ist sind "
                "war waren hat haben wird wurde wurden kann können zusammen insgesamt später "
                "anschließend ab laut neben sowohl weiter weitere weiterhin darüber darin daraus "
                "darauf daran hierbei hierzu ",
      .ordinals = 1 },
    { .code = "fr",
      .inside = " m mm mme mmes mlle mlles dr drs pr prof mgr st ste sts av c.-à-d p.ex cf env ex hab inf "
                "sup adj adv fém masc sing plur lat ital angl esp gén lt cdt bd boul dir not "
                "spéc fac univ trad prés resp Col Cap Me ",
      .numbers = " n no nos p pp pl art al vol t chap fig tab par § éd ann tél janv févr avr "
                 "juil sept oct nov déc vers réf ch ",
      .either = " etc apr av.j.-c j.-c apr.j.-c s.a s.a.r.l s.n.c.f u.e o.n.u e.u u.s.a u.r.s.s "
                "b.p cie ltd inc jr sr suiv sqq ibid id éd coll max min p.s a.m p.m sté éts ",
      .starts = " le la les l un une des du de d ce cet cette ces il elle ils elles on nous vous "
                "je j tu c ça son sa ses leur leurs notre nos votre vos mon ma mes en dans sur "
                "sous par pour avec sans chez vers à au aux entre après avant depuis pendant "
                "selon malgré mais et ou donc or ni car si quand lorsque lorsqu puisque comme "
                "parce alors ainsi aussi cependant toutefois pourtant néanmoins enfin ensuite "
                "puis où qui que qu quoi quel quelle quels quelles comment pourquoi plusieurs "
                "certains certaines chaque tout toute tous toutes aucun aucune ne n y là ici "
                "voici voilà oui non plus très bien même est sont était a ont cela ceci celui "
                "celle ceux "},
    { .code = "es",
      .inside = " sr sra srta sres sras dr dra drs prof profa d dña ud uds vd vds lic ing arq "
                "mons fr sto sta st gral cnel tte cap cmdte pdte excmo excma ilmo ilma p.ej ej "
                "aprox cf cfr vid esp gob dir adj av avda c/ pza prov ntra ntro ",
      .numbers = " n no nº núm nro núms art arts pág págs p pp vol vols t cap caps fig figs tel "
                 "tfno tab ed ene feb mar abr may jun jul ago sep sept oct nov dic v ref párr "
                 "apdo ",
      .either = " etc ee.uu e.u u.e s.a s.l s.r.l c.a a.c d.c j.c a.m p.m cía cia ltda ltd inc "
                "corp jr hnos ibíd ibid sig sigs máx mín p.d q.e.p.d hab ",
      .starts = " el la los las lo un una unos unas este esta estos estas ese esa eso esto aquel "
                "aquella él ella ellos ellas yo tú nosotros usted ustedes su sus mi mis tu tus "
                "nuestro nuestra en de del a al con sin por para sobre entre desde hasta según "
                "durante tras ante bajo hacia y e o u pero sino aunque porque si cuando mientras "
                "como donde que qué quién cómo cuándo dónde cuál además también así entonces "
                "luego después antes ahora hoy ayer aquí allí ya no sí nunca siempre muchos "
                "muchas algunos algunas todos todas cada otro otra otros otras ningún es son fue "
                "fueron era hay ha han se le les me te nos embargo más muy tal tampoco "},
    { .code = "it",
      .inside = " sig sigg sig.ra sig.na dott dott.ssa dr prof prof.ssa ing avv arch geom rag "
                "sen mons s ss san gen col cap ten magg p.es es ad.es cfr cf vs v.le p.za v ca "
                "c.so l.go lat gr ingl franc ted avv.ti spett egr pres min dir c.d cosidd prov "
                "reg ",
      .numbers = " n nn nr art artt pag pagg p pp vol voll cap capp fig figg tab tel t num par c "
                 "gen feb mar apr mag giu lug ago set sett ott nov dic ed co ",
      .either = " ecc etc s.p.a s.r.l s.n.c a.c d.c u.s.a u.e o.n.u u.s c.a jr ltd inc corp "
                "f.lli segg seg ibid a.m p.m p.s max min ss.mm ",
      .starts = " il lo la i gli le l un uno una questo questa questi queste quello quella egli "
                "lui lei esso essa essi loro noi voi io tu suo sua suoi sue nostro nostra in nel "
                "nella nei nelle nello nell di del della dei degli delle dello dell a al alla ai "
                "agli alle allo all da dal dalla dai con col su sul sulla sui per tra fra senza "
                "secondo dopo prima durante e ed o ma però anche se quando mentre come dove "
                "perché poiché che chi cosa quale quali quanto così allora quindi infatti "
                "inoltre tuttavia poi ora oggi ieri qui lì non sì no mai sempre molti molte "
                "alcuni alcune tutti tutte ogni altro altri altre nessuno è sono era erano ha "
                "hanno fu furono si ci vi ne mi ti più già solo nonostante sebbene entrambi "},
    { .code = "pt",
      .inside = " sr sra srs sras srta dr dra drs dras prof profa profs eng arq d fr pe sto sta "
                "st exmo exma gen cel cap ten maj sgt pres dep sen min av r p.ex ex cf aprox gov "
                "adv adj vs Dom ",
      .numbers = " n no nº núm nos art arts pág págs p pp vol vols t cap caps fig figs tel tab "
                 "ed jan fev mar abr mai jun jul ago set out nov dez séc ref par ",
      .either = " etc e.u.a eua u.e s.a s.a.r.l lda ltda cia c.a a.c d.c j.c a.m p.m jr ltd inc "
                "corp ibid máx mín seg segs p.s hab ",
      .starts = " o a os as um uma uns umas este esta estes estas esse essa isso isto aquele "
                "aquela ele ela eles elas eu tu nós você vocês seu sua seus suas meu minha nosso "
                "nossa em no na nos nas de do da dos das ao à aos às com sem por pelo pela pelos "
                "pelas para sobre entre desde até segundo durante após antes depois e ou mas "
                "porém contudo embora porque se quando enquanto como onde que quem qual quais "
                "também além assim então logo agora hoje ontem aqui ali já não sim nunca sempre "
                "muitos muitas alguns algumas todos todas cada outro outra outros outras nenhum "
                "é são foi foram era eram há tem têm mais muito apesar ainda "},
    { .code = "nl",
      .inside = " dhr mevr mw mej dr drs prof ir ing mr bc st ds ev pr z.em kon gen kol maj kap "
                "lt sgt bijv bv d.w.z m.a.w o.a o.i.v i.v.m m.b.t n.a.v t.a.v t.b.v t.g.v t.o.v "
                "t.w.v i.p.v m.i ca circa resp vgl zgn z.g.n incl excl evt eventueel d.m.v "
                "a.d.h.v i.h.b m.u.v v.d v.h bvb i.c nl gebr oorspr ong ned fr lat gr Eng ",
      .numbers = " nr nrs art blz pag p pp afb fig tab tel hfst h par dl vol jrg jan feb mrt apr "
                 "jun jul aug sep sept okt nov dec lid ",
      .either = " enz e.d etc e.a n.v b.v v.chr n.chr a.u.b s.v.p jr sr ltd inc corp co mln mld "
                "v.s vs ibid str red uitg u.s a.m p.m p.s ",
      .starts = " de het een dit dat deze die hij zij ze we wij ik jij je u jullie zijn haar hun "
                "ons onze mijn in op aan bij met van voor naar uit over onder tussen door tegen "
                "zonder tot sinds tijdens volgens na om te en maar of want dus toch als wanneer "
                "terwijl omdat hoewel nadat voordat zodat toen dan daar daarom daarna daarnaast "
                "hier nu vandaag gisteren morgen ook alleen nog wat wie waar waarom hoe welke "
                "veel enkele sommige alle andere beide elk elke geen niet nooit ja nee is was "
                "waren heeft hebben wordt werd werden kan kunnen er zo echter bovendien vooral "
                "later vanaf binnen ondanks "},
    { .code = "pl",
      .inside = " p pan dr prof hab inż mgr lek med doc ks bp abp kard o św gen płk ppłk mjr kpt "
                "por ppor sierż plut kpr min dyr ul al pl np tzn tzw ok m.in tj cyt wg ds woj gm "
                "pow płn płd wsch zach ang niem fr łac gr ros hiszp wł ur zm zw hr ob przew "
                "wiceprez prez sp.k ww jw dot ew ewent zwł nt ",
      .numbers = " nr art s str ust pkt poz t tel rozdz rys tab tom vol lit par stycz lut kwiet "
                 "wrz paźdz list grudz wyd sygn § ",
      .either = " itd itp etc r w n.e p.n.e in godz tys mln mld zł gr sek jr sr sp.z.o.o o.o s.a "
                "ltd inc c.d cdn dn b.m b.r ub kw a.d os szt ibid nast wiek im ",
      .starts = " w we z ze na do od po pod przed za przy o u dla przez nad między podczas "
                "według bez poza ten ta to te ci tego tej tym tych on ona ono oni one ja ty my "
                "wy jego jej ich mój nasz swój i a ale lecz jednak oraz albo lub czy gdy kiedy "
                "jeśli jeżeli ponieważ bo że żeby choć chociaż jak gdzie co kto dlaczego który "
                "która które jaki ile tak nie już jeszcze też także również wtedy potem "
                "następnie teraz dziś wczoraj tutaj tu tam wiele wielu kilka każdy wszyscy inni "
                "jest są był była było były został została będzie można dlatego natomiast "
                "ponadto obecnie później zgodnie ",
      .ordinals = 1 },
    { .code = "cs",
      .inside = " p pí sl dr prof doc ing mgr bc mudr judr phdr rndr paeddr thdr akad gen plk "
                "pplk mjr kpt por npor ppor rtm sv např tzv tj tzn mj zejm cca resp popř příp vč "
                "kupř ul nám tř hl angl něm franc lat řec rus ital špan roz zvl srov ev pol p.o "
                "biol chem ph mons nár pův arch arcib red.nář býv zkr ",
      .numbers = " č čís čl str s odst písm par obr tab tel roč kap bod led ún břez dub květ "
                 "červ srp září říj list pros sb vyhl ",
      .either = " atd apod aj ap n.l př.n.l po.kr př.kr kr r stol tis mil mld kč hod min sek "
                "s.r.o a.s spol o.s v.o.s jr st ml ltd inc co corp ibid t.r t.č n.m o.p.s ob ",
      .starts = " v ve z ze na do od po pod před za při o u pro přes nad mezi během podle bez "
                "kromě k ke s se ten ta to ti ty tento tato toto tyto on ona ono oni já my vy "
                "jeho její jejich můj náš svůj a ale však avšak nebo či když jestliže pokud "
                "protože že aby ačkoli jak kde co kdo proč který která které jaký kolik tak ne "
                "není už ještě také též pak potom poté nyní dnes včera zde tam tady mnoho "
                "několik každý všichni jiní je jsou byl byla bylo byli byly bude lze proto "
                "naopak navíc později podobně kdyby i ani až ",
      .ordinals = 1 },
    { .code = "ru",
      .inside = " г-н г-жа г-на гр тов проф акад доц д-р инж св ул пр просп пл пер наб ш обл р-н "
                "пос дер ген кап лейт серж т.е т.н т.к т.о напр см ср т.ч в.т.ч ок прибл англ "
                "нем фр лат греч итал исп яп т.наз сокр букв зам пом нач зав гл чл кор канд докт "
                "физ хим биол ист филол юр экон мед техн пед о-в о-ва оз корп д кв п.г.т бывш "
                "ориг преим рус укр ",
      .numbers = " № с стр ст п пп ч т тт гл рис табл вып изд кн разд тел янв февр мар апр авг "
                 "сент окт нояб дек пункт абз § ",
      .either = " т.д т.п т.пр др пр г гг в вв н.э тыс млн млрд трлн руб коп долл чел мин сек кг "
                "л.с экз ред изд-во тж ibid р.х с.г т.г л шт им ",
      .starts = " в во на с со к ко по о об от до из за для при под над без через между перед "
                "после около у и а но или да однако если когда пока хотя чтобы потому поэтому "
                "так как где что кто почему который какой сколько это этот эта эти то тот та те "
                "он она оно они я ты мы вы его её ее их мой наш свой не нет ни уже ещё еще также "
                "тоже затем потом теперь сейчас сегодня вчера здесь тут там тогда многие "
                "несколько каждый все всё другие был была было были есть будет можно кроме "
                "согласно среди вместе именно лишь только даже позже впоследствии "},
    { .code = "uk",
      .inside = " п проф акад доц д-р інж св вул просп пл пров бул наб обл р-н смт с ген кап "
                "лейт серж т.зв напр див пор бл прибл англ нім фр лат грец італ ісп рос укр зам "
                "нач зав гол чл кор канд докт філол іст юр екон мед техн пед о о-в оз корп кв "
                "буд м бувш перекл скор в.о т.ч у.т.ч ",
      .numbers = " № стор ст с п пп ч т гл рис мал табл вип вид кн розд тел січ лют бер квіт "
                 "трав черв лип серп вер жовт лист груд абз § ",
      .either = " т.д т.п т.ін та.ін ін р рр в вв н.е тис млн млрд трлн грн коп дол крб чол год "
                "хв сек кг прим ред р.х ibid к.с ім ",
      .starts = " в у на з із зі до по про від для при під над без через між перед після біля за "
                "і й а але або чи та проте однак якщо коли поки хоча щоб тому бо так як де що "
                "хто чому який яка яке які скільки це цей ця ці то той ті він вона воно вони я "
                "ти ми ви його її їх мій наш свій не ні вже ще також теж потім тепер зараз "
                "сьогодні вчора тут там тоді багато кілька кожен усі всі інші був була було були "
                "є буде можна крім згідно серед саме лише тільки навіть "},
    { .code = "tr",
      .inside = " dr prof doç yrd öğr gör av bn sn st hz alb bnb yzb ütğm tğm org korg tümg tuğg "
                "ing alm fr lat örn krş bkz yak mah cad sok sk blv müh mim uzm ecz ",
      .numbers = " no nu s sf sy ss md mad fık c böl şek tab tel cilt kat ",
      .either = " vb vs vd ark a.ş ltd şti t.c m.ö m.s i.ö i.s a.b.d ab yy yüzyıl dk sa inc co "
                "jr bk tic san ibid ",
      .starts = " bu şu o bir her ve ama fakat ancak lakin çünkü eğer ne kim nasıl neden niçin "
                "nerede hangi kaç ben sen biz siz onlar onun onu ona bunun bunu buna bunlar "
                "böyle şöyle öyle daha çok en da de ise ile için gibi kadar sonra önce şimdi "
                "bugün dün yarın burada orada ayrıca bazı birçok bütün tüm hiç evet hayır var "
                "yok değil ilk son diğer bunların bununla bundan ardından özellikle ",
      .ordinals = 1 },
    { .code = "vi",
      .inside = " ts ths gs pgs bs ks ls tp t.p q p h tx tt đ ub gs.ts pgs.ts dr mr mrs ms st vd "
                "v.d tr.cn ô b nxb cty ",
      .numbers = " tr số đt tel fig no vol p pp ",
      .either = " v.v vv tr.cn scn ltd inc co jr corp ",
      .starts = " và nhưng hoặc nếu khi vì tuy mặc trong trên dưới tại ở từ đến với theo để cho "
                "về sau trước các những một mỗi mọi nhiều vài đây đó này kia ông bà anh chị em "
                "tôi chúng họ nó ta mình hiện nay hôm ngày năm cũng đã đang sẽ không chưa có là "
                "được bị do bởi ngoài còn thì mà "},
    { .code = "sv",
      .inside = " dr prof hr fr frk s.k t.ex t.o.m fr.o.m d.v.s dvs bl.a bl ca jfr jmf f.d s.a.s "
                "ev exkl inkl resp st kap.i obs eng ty fra näml mots sk el o.d t.v t.h fil ing "
                "dir gen kapt löjtn m.a.o p.g.a pga f.n i.st iaf bla m.h.a m.a.p u.p.a urspr Lat ",
      .numbers = " nr s sid st kap art fig tab tel bd § par jan feb mar apr jun jul aug sep sept "
                 "okt nov dec mom prop ",
      .either = " etc osv o.s.v m.m m.fl mfl f.kr e.kr f.kr.f kr milj mdr tkr jr sr ltd inc co "
                "corp e.d o.dyl dyl m.a ff f forts ibid min tim ",
      .starts = " den det de en ett denna detta dessa han hon vi jag du ni man hans hennes deras "
                "vår vårt våra min mitt mina sin sitt i på av till från med för om under över "
                "efter före vid hos mot mellan genom utan enligt sedan och men eller så därför "
                "när medan eftersom trots att som där här nu då idag igår också även bara ännu "
                "vad vem var varför hur vilken vilka många några alla andra båda varje ingen "
                "inte aldrig ja nej är har hade blev blir kan kunde dock dessutom senare bland "
                "åren först sist både "},
    { .code = "da",
      .inside = " dr prof hr fr frk hrn fx f.eks bl.a ca dvs d.v.s jf jvf evt ekskl inkl resp "
                "sml sct skt st lat eng gl kgl ing cand mag p.gr.a pga p.t m.h.t mht i.f.m ifm "
                "m.a.o gen kapt dir s.u opr oprind hhv henh tidl pinx h.c t.eks pr vha if ift ",
      .numbers = " nr s sp stk kap art fig tab tel bd § par jan feb mar apr jun jul aug sep sept "
                 "okt nov dec litra kl ",
      .either = " etc osv o.s.v m.m m.fl mfl mv m.v f.kr e.kr kr mio mia jr sr ltd inc co corp "
                "o.l ol lign o.lign ff f ibid a.s aps min sek tlf ",
      .starts = " den det de en et denne dette disse han hun vi jeg du i man hans hendes deres "
                "vores min mit mine sin sit på af til fra med for om under over efter før ved "
                "hos mod mellem gennem uden ifølge og men eller så derfor når mens fordi da "
                "selvom at som hvor her nu dengang idag også kun endnu hvad hvem hvorfor hvordan "
                "hvilken hvilke mange nogle alle andre begge hver ingen ikke aldrig ja nej er "
                "var har havde blev bliver kan kunne dog desuden senere siden både der ",
      .ordinals = 1 },
    { .code = "fi",
      .inside = " tri hra rva nti prof toht maist esim mm ns s.o ts t.s n noin vrt ks lat engl "
                "saks ransk kreik ven ruots eri erit ent evl luutn kapt maj ev kenr st vs vt pj "
                "tj joht fil yht oik ko po ao em ed edell ",
      .numbers = " nro n:o s siv art kuva taul puh luku kohta § mom osa vol ",
      .either = " jne ym yms tms jaa eaa eKr jKr e.Kr j.Kr milj mrd jr ltd inc mk min sek tunt ",
      .starts = " se ne tämä nämä tuo nuo hän he minä sinä me te hänen heidän sen niiden tämän "
                "näiden ja mutta tai vaan sekä jos kun koska vaikka että jotta kuten missä mitä "
                "mikä kuka miksi miten milloin joka jotka siellä täällä tässä siinä nyt silloin "
                "sitten tänään eilen myös vain vielä jo monet monta jotkut kaikki muut molemmat "
                "jokainen ei eivät en kyllä on ovat oli olivat lisäksi kuitenkin esimerkiksi "
                "myöhemmin vuonna ennen jälkeen aikana näin niin siksi ",
      .ordinals = 1 },
    { .code = "el",
      .inside = " κ κα κος κ.κ δρ καθ αγ δηλ π.χ βλ πρβλ λ.χ σχετ λεγ τ.μ λεωφ οδ πλ ν.δ γεν στρ "
                "συντ υπ μ.χρ ιδ κυρ αγγλ γαλλ γερμ λατ ιταλ αρχ επίσκ μητρ ",
      .numbers = " αρ αριθ σ σελ αρθ άρθρ παρ τομ τ κεφ εικ πιν τηλ τευχ ιαν φεβ μαρ απρ ιουν "
                 "ιουλ αυγ σεπ οκτ νοε δεκ ",
      .either = " κ.λπ κ.ά κ.α κ.τ.λ κτλ κλπ κ.ο.κ π.μ μ.μ π.χ.ε μ.χ η.π.α α.ε ε.π.ε ο.η.ε εκ "
                "δισ χιλ δρχ ό.π ",
      .starts = " ο η το οι τα του της των τον την ένας μια ένα αυτός αυτή αυτό αυτοί αυτά "
                "εκείνος εγώ εσύ εμείς εσείς και κι αλλά όμως ή είτε αν όταν ενώ επειδή γιατί "
                "διότι ώστε πως που πού ποιος ποια τι πώς πόσο σε στο στη στην στον στις στα "
                "στους από με για ως προς κατά μετά πριν μέχρι χωρίς παρά υπό δεν μην θα να "
                "είναι ήταν έχει έχουν υπάρχει εδώ εκεί τώρα τότε σήμερα χθες επίσης ακόμη ακόμα "
                "έτσι πολλοί μερικοί όλοι κάθε άλλοι όλα ναι όχι ωστόσο επιπλέον ",
      .semicolon_asks = 1 },
    { .code = "ro",
      .inside = " dl d-l dna d-na dra dlui dnei dr prof ing arh av pr sf st gen col lt cpt mr "
                "mrs acad conf lect asist ex cca aprox cf v vs str bd bdul al.i șos jud com engl "
                "fr lat germ rom îns dir președ ș.a.m subl ",
      .numbers = " nr art alin lit pag p pp vol cap fig tab tel pct sec ian febr mart apr iun "
                 "iul aug sept oct noi dec ed anexa ",
      .either = " etc ș.a ş.a ș.a.m.d ş.a.m.d d.hr î.hr î.e.n e.n s.a s.r.l srl u.e s.u.a a.m "
                "p.m jr ltd inc corp mil mld ibid ",
      .starts = " un o unul una acest această acești aceste acesta aceasta acel acea el ea ei "
                "ele eu tu noi voi lui lor său sa săi sale în din de la cu fără pe pentru prin "
                "spre către după înainte până între sub peste conform potrivit și sau dar însă "
                "ci iar deși dacă când cât ca că deoarece unde ce cine cum care astfel atunci "
                "apoi acum azi astăzi ieri aici acolo deja nu da nici mulți multe unii unele "
                "toți toate fiecare alt alți alte este sunt era erau a au fost se îi îl mai "
                "foarte totuși "},
    { .code = "hu",
      .inside = " dr prof ifj id özv szt st gr br vitéz pl kb ún ill ti vö ld lásd ang ném fr "
                "lat gör or mb bp u sz.ú ford szerk gyak rk ref ev gen ezr alezr őrgy szds hdgy "
                "min ig alelnök tszf áll körny kül ált egyet kir csász ny é d ",
      .numbers = " sz o old fej tab tel bek vol köt p kat pont jan febr márc ápr máj jún júl aug "
                 "szept okt nov dec ",
      .either = " stb i.sz i.e kr.u kr.e i.u u.n kft rt zrt nyrt bt m.n ft jr ltd inc u.a uo "
                "ibid v.ö du de h ",
      .starts = " a az egy ez azok ezek ő ők én te mi ti és de vagy hanem azonban ha amikor "
                "mikor míg mert hogy bár noha mint ahol ami aki ki miért hogyan hol milyen hány "
                "itt ott most akkor ma tegnap is csak még már sok néhány minden más mindkét nem "
                "igen nincs van vannak volt voltak lesz így ezért emellett később ezután továbbá "
                "ebben abban ennek annak ezt azt erre arra azután szerinte szerint közben végül ",
      .ordinals = 1 },
    { .code = "ar",
      .inside = " د أ م ا ص.ب أ.د د.م ",
      .numbers = " ص ج ط رقم ",
      .either = " إلخ الخ ق.م م هـ ",
      .starts = " "},
};
/* clang-format on */

const struct dgm_sentence_language *dgm_sentence_language(const char *code)
{
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++)
        if (strcmp(languages[i].code, code) == 0)
            return &languages[i];
    return NULL;
}

static int has(const char *list, const char *word, const char *lower)
{
    return strstr(list, word) != NULL || strstr(list, lower) != NULL;
}

enum dgm_stop dgm_sentence_stop(const struct dgm_sentence_language *language, const char *word,
                                const char *lower)
{
    if (has(language->inside, word, lower))
        return DGM_STOP_INSIDE;
    if (has(language->numbers, word, lower))
        return DGM_STOP_NUMBER;
    return has(language->either, word, lower) ? DGM_STOP_EITHER : DGM_STOP_PLAIN;
}

int dgm_sentence_starts(const struct dgm_sentence_language *language, const char *lower)
{
    return strstr(language->starts, lower) != NULL;
}
