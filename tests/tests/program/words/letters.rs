//! Accents, cases, compositions, inflections.

use super::Table;

pub(super) const ACCENTS: Table = Table {
    notes: &[
        ("Un impôt pèse sur le sel.", &["impôt", "impot", "IMPOT", "IMPÔT"]),
        ("A résumé lists what one has done.", &["résumé"]),
        ("They resume work after lunch.", &["resume"]),
        ("La crème brûlée est servie froide.", &["crème brûlée", "creme brulee", "CRÈME BRÛLÉE"]),
        ("Die Tür ist schön und grün.", &["schön", "schon", "Tür", "tur"]),
        ("El niño mañana comerá jalapeños.", &["niño", "nino", "mañana", "manana", "jalapeno"]),
        ("O coração e a maçã são vermelhos.", &["coração", "coracao", "maca"]),
        ("Łódź leży nad małą rzeką.", &["Łódź", "Lodz", "łódź", "rzeka małą"]),
        ("Příliš žluťoučký kůň úpěl.", &["žluťoučký", "zlutoucky", "kun", "kůň"]),
        ("Smørrebrød spises med kniv.", &["smørrebrød", "smorrebrod"]),
        ("Þingvellir er þjóðgarður á Íslandi.", &["Þingvellir", "thingvellir", "thjodgardur"]),
        ("Η Αθήνα είναι μεγάλη πόλη.", &["Αθήνα", "Αθηνα", "ΑΘΗΝΑ", "πολη"]),
        ("Зелёный ёжик спит под ёлкой.", &["ёжик", "ежик", "ЁЖИК"]),
        ("The café is naïve about its façade.", &["cafe", "naive", "facade", "naïve façade"]),
        ("Phở bò là món ăn của Hà Nội.", &["phở bò", "pho bo", "hà nội", "ha noi"]),
        ("Năm mới chúc mừng mọi người sức khỏe.", &["chúc mừng", "chuc mung"]),
        ("Dvořák wrote it in Spillville.", &["Dvorak", "Dvořák", "dvorák"]),
        ("Señor Ñandú runs on the plain.", &["ñandú", "nandu", "senor"]),
        ("Ångström measured light.", &["Ångström", "Angstrom", "angstrom"]),
    ],
    nothing: &["žřýqx", "ñöñqx"],
};

pub(super) const SPELLINGS: Table = Table {
    notes: &[
        // Composed and decomposed, both ways.
        ("Le forêt de chênes brûle.", &["fore\u{302}t", "che\u{302}nes", "bru\u{302}le"]),
        ("Un ho\u{302}pital a\u{300} la ga\u{302}terie.", &["hôpital", "gâterie", "hopital"]),
        ("ポケットにガム。", &["ホ\u{309a}ケット", "カ\u{3099}ム"]),
        ("ハ\u{3099}ナナを食へ\u{3099}る。", &["バナナ", "食べる"]),
        ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af} 자모", &["한글"]),
        ("Việt ngữ có dấu.", &["Vie\u{323}\u{302}t ngu\u{31b}\u{303}", "viet ngu"]),
        // Full and half width.
        ("Ｗｉｋｉ　ｐａｇｅｓ　２０２４ are wide.", &["wiki pages", "2024", "Ｗｉｋｉ"]),
        ("The SERVER listens.", &["ｓｅｒｖｅｒ", "ＳＥＲＶＥＲ"]),
        ("ﾃﾚﾋﾞを見る。", &["テレビ"]),
        ("カメラを買う。", &["ｶﾒﾗ"]),
        // Ligatures and other compatible forms.
        ("The ﬁnal oﬃce is shut.", &["final", "office"]),
        ("A ﬂour mill and a æon.", &["flour", "aeon"]),
        ("Put x² and ½ cup in.", &["x2", "x²", "½"]),
        ("The 𝐛𝐨𝐥𝐝 letters are odd.", &["bold"]),
        ("Number Ⅷ and ① are one sign each.", &["viii", "Ⅷ"]),
        // Turkish i.
        ("İstanbul ve Iğdır güzeldir.", &["istanbul", "İstanbul", "ISTANBUL", "İSTANBUL", "ığdır", "IĞDIR", "igdir"]),
        ("Diyarbakır ılık bir yerdir.", &["Diyarbakır", "diyarbakir", "DİYARBAKIR", "DIYARBAKIR", "ILIK"]),
        // Sharp s.
        ("Die Straße ist naß.", &["Straße", "STRASSE", "strasse", "STRAẞE", "nass"]),
        ("Der Fussball rollt, der Fluß fließt.", &["Fußball", "fussball", "Fluss", "FLUẞ"]),
        // Sigma, apostrophes, soft hyphens, joiners.
        ("Ο Οδυσσεύς γύρισε.", &["ΟΔΥΣΣΕΥΣ", "οδυσσευς"]),
        ("They don’t know O’Brien.", &["don't", "O'Brien", "o’brien"]),
        ("The co\u{ad}opera\u{ad}tive closed.", &["cooperative"]),
        ("A zero\u{200b}width space parts words.", &["zero width", "zero", "width"]),
        ("A word\u{2060}joiner and a byte\u{feff}mark hide.", &["wordjoiner", "bytemark"]),
        ("An en–dash—and em dashes—part words.", &["dash", "em dashes"]),
        ("A non\u{2011}breaking hyphen.", &["non-breaking", "nonbreaking"]),
    ],
    nothing: &["ｚｘｑｖ", "q\u{307}z\u{301}v\u{302}"],
};

pub(super) const INFLECTIONS: Table = Table {
    notes: &[
        (
            "The engineers were connecting several pipes beneath the old house in the winter.",
            &["connected pipe", "connection of pipes", "engineer"],
        ),
        (
            "The organization of the library is described in this paper about shelves.",
            &["organization", "organizations"],
        ),
        ("The organ of the church is described in this paper about music.", &["organ", "organs"]),
        ("Die Häuser in dieser Straße wurden von den Bürgern gebaut und bewohnt.", &["Haus", "Häuser", "Bürger"]),
        (
            "Les chevaux étaient fatigués parce que les chemins étaient longs et difficiles.",
            &["fatiguée", "chemin", "l'chemin"],
        ),
        (
            "Las canciones que cantaban los niños eran alegres y muy conocidas por todos.",
            &["canción", "cantar", "niño"],
        ),
        ("Новые книги стоят на полке, которую построил мой дед много лет назад.", &["книга", "книгу", "полка"]),
        (
            "Le finestre delle case erano aperte perché faceva molto caldo in quei giorni.",
            &["finestra", "casa", "dell'casa"],
        ),
        ("De kinderen speelden in de tuin terwijl hun ouders met de buren praatten.", &["speelde", "tuinen"]),
        ("Barnen lekte i trädgården medan föräldrarna talade med grannarna om vädret.", &["trädgårdar", "barn"]),
        ("Evlerin kapıları açıktı ve çocuklar bahçede oynuyorlardı, hava çok güzeldi.", &["evler", "çocuk"]),
        ("المعلمون يكتبون الدروس على السبورة في المدرسة كل يوم قبل وصول الطلاب.", &["معلم", "درس المدرسة"]),
    ],
    nothing: &["blorptangs", "zxqving"],
};
