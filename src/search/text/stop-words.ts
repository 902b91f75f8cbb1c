/** Function words, including question words; also used to detect the language. */
export const STOP_WORDS = {
  en: `a about above after again against all also am an and any are aren as at be because been before being below between both but by can
    cannot could couldn d did didn do does doesn doing don done down during each either else ever few for from further had hadn has hasn
    have haven having he her here hers herself him himself his how however i if in into is isn it its itself just likely ll m me might more
    most must mustn my myself no nor not of off on once only onto or other ought our ours ourselves out over own re s same shall shan she
    should shouldn so some such t than that the their theirs them themselves then there these they this those through thus to too under
    until up upon us ve very was wasn we were weren what when where whether which while who whom whose why will with within without won
    would wouldn yet you your yours yourself yourselves`,
  de: `ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei bin bis bist da damit dann das dass daß dein
    deine dem den denn der des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines
    er es etwas euch euer für gegen gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in
    indem ins ist ja jede jedem jeden jeder jedes jene jetzt kann kein keine keinem keinen keiner können könnte man manche mein meine mich mir
    mit muss musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner selbst sich sie sind so solche soll sollte
    sondern sonst über um und uns unser unsere unter viel vom von vor war waren warst warum was weg weil weiter welche welchem welchen welcher
    welches wenn wer werde werden wie wieder will wir wird wirst wo wollen wurde wurden würde zu zum zur zwar zwischen`,
  fr: `à ai aient ainsi alors as au aucun aussi autre aux avaient avait avant avec avez avoir avons c ce ceci cela celle ces cet cette ceux chez
    comme comment d dans de depuis des donc dont du elle elles en encore entre es est et étaient était étant été être eu eux fait fut il ils j
    je l la là le les leur leurs lors lui m ma mais même mes moi mon n ne ni nos notre nous on ont ou où par parce pas pendant peu peut plus
    pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si son sont sous sur t ta te tes toi ton tous tout
    toute toutes très tu un une vers vos votre vous y`,
  es: `a al algo algunas algunos ante antes aquel aquella como cómo con contra cual cuál cuando cuándo de del desde donde dónde durante e el él
    ella ellas ellos en entre era eran es esa esas ese eso esos esta está están estas este esto estos fue fueron ha había habían han hasta hay
    he la las le les lo los más me mi mí mis mucho muchos muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco
    por porque que qué quien quién quienes se sea ser si sí sido sin sobre son su sus también tanto te tiene tienen todo todos tu tú tus un una
    uno unos y ya yo`,
  it: `a ad agli ai al alla alle allo anche avere aveva c che chi ci ciò come con contro cosa cui da dagli dai dal dalla dalle dallo dei degli del
    della delle dello di dove e è ed era erano essere fra gli ha hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie mio ne negli
    nei nel nella nelle nello no noi non nostra nostro o per perché più poi qual quale quali quando quanto quella quelle quelli quello questa
    queste questi questo qui se sei si sia siamo sono sta su sua sue sugli sui sul sulla sulle suo suoi ti tra tu tutti tutto un una uno vi
    voi`,
  pt: `a à ao aos aquela aquele as às até com como da das de dela dele deles depois do dos e é ela elas ele eles em entre era eram essa essas esse
    esses esta está estão estas este estes eu foi foram há isso isto já lhe lhes mais mas me mesmo meu minha muito na não nas nem no nos nós
    nossa nosso num numa o onde os ou para pela pelas pelo pelos por porque qual quando que quê quem são se sem ser será seu seus só sua suas
    também te tem têm ter teu tinha tu um uma umas uns você vocês vos`,
  nl: `aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een eens en er ge geen geweest haar had heb
    hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men met mij mijn moet na naar niet niets nog
    nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren was wat welke werd
    wezen wie wil worden wordt zal ze zelf zich zij zijn zo zonder zou`,
  sv: `alla allt än är att av blev bli blir då där de dem den denna deras dess dessa det detta dig din du efter ej eller en er ett från för ha
    hade han hans har här henne hennes hon honom hur i icke ingen inom inte jag ju kan kunde man med mellan men mig min mot mycket ni nu när
    någon något några och om oss på så sådan samma sedan sig sin själv ska skulle som till under upp ut utan vad var vår vara varför vart vem vi
    vid vilken vilket`,
  no: `alle at av både ble blei blir bli da de deg den der dere det dette di din disse du eller en er et etter for fordi fra før ha hadde han hans
    har hennes her hun hva hvem hver hvis hvor hvordan hvorfor i ikke ikkje ingen inn jeg kan kom kun kunne man mange med meg mellom men mer min
    mot må når noe noen nå og også om opp oss over på samme seg selv si sin skal skulle slik som så til um under ut uten vår var være vært ved
    vi vil ville`,
  da: `af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter eller en end er et for fra ham
    han hans har havde have hende her hos hun hvad hvem hvis hvor hvordan hvorfor hvornår i ikke ind jeg jer jo kan kunne man mange med meget
    men mig min mod må ned noget nogle nogen nu når og også om op os over på selv sig sin skal skulle som sådan til ud under var vi vil ville
    vor være været`,
  fi: `ei eivät että en hän häntä he heidän hänen ja jo joka jonka jos jossa jota jotka kanssa keneen kuin kuinka kuka kun me meidän mihin mikä
    miksi millä minä minkä minun missä mistä mitä mukaan mutta myös ne niiden niin nämä nyt ole olen oli olin olivat olla ollut on onko ovat
    poikki se sekä sen siinä siitä sillä sinä sitä tai tämä tämän tätä te tuo vaan vai vaikka voi`,
  hu: `a abban ahhoz ahogy aki akik akkor alatt által általában amely amelyek ami amit át az azok azon azt aztán azért be csak de e egy egyéb
    egyik el ell elég én ez ezek ezt és fel hogy hogyan ha hanem hiszen hol ide igen így ill ilyen is itt jó kell ki kik kívül le legalább lehet
    lesz lett ma maga majd már más meg mely mert mi miért mikor mint mit mivel most nagyon ne nek nem nincs ő ők olyan ott össze pedig rá s
    saját sem semmi sok szerint számára talán ti több úgy után utolsó vagy vagyok valaki van vannak volt volna`,
  ro: `a acea aceasta această aceste acest acesta acolo ai al ale am ar are aș asta astfel ată au avea bine ca că când care câ ce cel cele celor
    chiar ci cine cît cu cum dacă dar de deci deși din după ea ei el ele era este eu eram fără fi fie fost foarte iar îi îl îmi în înainte între
    își îți la le li lor lui mai mea mei mele meu mult ne nici nimic noi nostru nu o ori pe pentru poate prea prin sa să sau se și sînt sunt sub
    toate tot tu un una unde unei unor unui va vă voi vor`,
  tr: `acaba ama ancak artık aslında az bana bazı belki ben benim beni bile bir biri birkaç biz bizim bu buna bunda bundan bunlar bunu bunun çok
    çünkü da daha de değil diye dolayı en fakat gibi göre hangi hem hep hepsi her hiç için ile ise işte kadar karşın ki kim kimi mı mi mu mü
    nasıl ne neden nerede nereye niçin niye o olan olarak oldu olduğu olması on ona ondan onlar onu onun orada öyle sen siz şey şu sonra ve
    veya ya yani yine yok`,
  id: `ada adalah akan aku anda antara apa apakah atau bagaimana bagi bahwa banyak beberapa belum bila bisa boleh bukan dalam dan dapat dari
    dengan di dia dua hanya harus hingga ia ini itu jadi jika juga kami kamu kapan karena kata ke kepada ketika kita lagi lain lebih maka mana
    masih mengapa mereka namun oleh pada paling para pernah pula saat saja sampai sangat saya sebagai sebuah secara sedang sehingga sejak
    semua seperti serta setelah siapa suatu sudah tapi telah tentang terhadap tetapi tidak untuk yaitu yang`,
  ru: `а без более больше будет будто бы был была были было быть в вам вас весь во вот все всего всех вы где да даже для до его ее её если есть
    еще ещё же за здесь и из или им их к как какая какой когда кто ли либо между меня мне много может мой мы на над надо нас не него нее нет
    ни них но ну о об один он она они оно от перед по под после потом потому почему при про раз с сам свое себя со так также такой там тебя
    тем теперь то тогда того тоже только том тот ты у уже хоть чего чей чем через что чтобы эта эти это этого этой этом этот эту я`,
  uk: `а або але б без був була були було бути в вам вас ви від він вона вони воно все всі да де для до є ж за з зі і із їх їй його її й к коли
    кого ким крім лише ми мене мені мій може на над нам нас не немає ні них но о об однак он по під після при про с сам себе та так також такий
    там те ти то тоді того тому у уже хто це цей ця ці через чи чого чому що щоб як яка який які якщо я`,
  el: `αλλά αν από αυτά αυτές αυτή αυτό αυτοί αυτός αυτών για δε δεν εγώ είμαι είναι είχε εκεί ενώ επί εσύ έχει η ή ήταν θα και κατά με μετά μη
    μην μια μας να ο οι όπου όπως όταν ότι ού παρά πιο ποια ποιος που πού προς πως πώς σας σε στα στη στην στις στο στον στους τα της τι τις το
    τον του τους των ως`,
  ar: `أن إن أو أي إلى إذا ألا أما أنا أنت إلا الذي التي الذين بعد بل بين به بها تحت تلك ثم حتى حيث دون ذلك سوف على عن عند عندما غير في فيه فيها
    قبل قد كان كانت كل كما كيف لا لأن لقد لكن لم لن له لها لهم ليس ما ماذا متى مثل مع من منذ منه منها نحن هذا هذه هل هم هنا هناك هو هي و وقد
    وهو وهي يا`,
  hi: `अगर अत अपना अपनी अपने अब आप इन इस इसका इसकी इसके इसे उन उनका उनकी उनके उस उसका उसकी उसके उसे एक एवं और कब कभी कर करता करते करना करने का कि किया
    किस किसी की कुछ के को कोई कौन क्या क्यों गया गयी गई जब जहाँ जा जिस जो तक तब तो था थी थे द्वारा न नहीं ने पर फिर बहुत बाद भी मगर में मैं यदि यह यहाँ या ये
    रहा रही रहे लिए लेकिन वह वहाँ वाला वाली वाले वे व से ही हुआ हुई हुए हूँ है हैं हो हम कैसे कहाँ`,
} as const;
