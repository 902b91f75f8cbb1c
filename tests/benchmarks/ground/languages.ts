/** What differs between the languages of the vaults. */
export interface LanguageFacts {
  readonly negation: RegExp;
  /** Lines that tell of an error. */
  readonly error: RegExp;
  /** Names of the months as they are written in dates. */
  readonly months: readonly string[];
  readonly writeDate: (day: number, month: string, year: number) => string;
  /** Texts around a title: before and after it. */
  readonly frames: Readonly<Record<Frame, readonly [string, string]>>;
  /** Syllables of words that nobody uses. */
  readonly syllables: readonly string[];
  /** Words of fields that the vault is not about: cooking, gardening, sailing. */
  readonly otherField: readonly string[];
}

export type GroundLanguage = 'en' | 'zh' | 'ru' | 'de';
type Frame = 'request' | 'question' | 'use' | 'compared' | 'date' | 'tab';

const words = (text: string) => text.split(' ');

export const LANGUAGES: Readonly<Record<GroundLanguage, LanguageFacts>> = {
  en: {
    negation: /\b(?:no|not|without)\b/i,
    error: /\b(?:error|cannot|can't|exception|failed|denied|already|invalid|unknown|not found)\b/i,
    months: words(
      'January February March April May June July August September October November December',
    ),
    writeDate: (day, month, year) => `${month} ${day}, ${year}`,
    frames: {
      request: ['please find my note about ', ''],
      question: ['what is ', '?'],
      use: ['how do I use ', ' in a script?'],
      compared: ['difference between ', ' and Cobol'],
      date: ['', ' March 2025'],
      tab: ['', ' | Notes of an engineer'],
    },
    syllables: words('bra cle dro fli gru jop kwe lun mip nast plo quib rask sven tro vum wex zor'),
    otherField: words(
      'sourdough hydration starter crumb rhubarb custard pruning hydrangea compost mulch seedlings ' +
        'tomatoes trellis spinnaker halyard rudder keel mooring tide gravy simmer braised lamb ' +
        'rosemary marinade pickling cucumbers oven tray pastry glaze orchard beehive wool knitting ' +
        'crochet violin sonata choir watercolour pottery kiln saddle stirrup trout fishing',
    ),
  },
  zh: {
    negation: /[不没无非未]/,
    error: /错误|失败|报错|无法|\b(?:error|failed|invalid|unknown|denied)\b/i,
    months: words('1 2 3 4 5 6 7 8 9 10 11 12'),
    writeDate: (day, month, year) => `${year}年${month}月${day}日`,
    frames: {
      request: ['请找到我关于', '的笔记'],
      question: ['什么是', '？'],
      use: ['如何使用', '？'],
      compared: ['', '和 Cobol 的区别'],
      date: ['', ' 2025年3月'],
      tab: ['', ' | 工程师笔记'],
    },
    syllables: [],
    otherField: words(
      '红烧肉 炖汤 发酵 面团 烤箱 糕点 果酱 番茄 豆苗 施肥 浇花 玫瑰 修剪 果园 养蜂 帆船 桅杆 潮汐 钓鱼 鳟鱼 编织 毛衣 小提琴 奏鸣曲 合唱团 ' +
        '水彩画 陶艺 马鞍 羊肉 迷迭香 腌黄瓜 茶壶 围棋 书法 剪纸 风筝 灯笼 饺子 月饼 豆腐',
    ),
  },
  ru: {
    negation: /(?<!\p{L})(?:не|без|нет|никак|нельзя)(?!\p{L})/iu,
    error: /ошибк|нельзя|не удал|неверн|(?<!\w)(?:error|cannot|failed|invalid|undefined)(?!\w)/i,
    months: words(
      'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
    ),
    writeDate: (day, month, year) => `${day} ${month} ${year}`,
    frames: {
      request: ['найди мою заметку про ', ''],
      question: ['что такое ', '?'],
      use: ['как использовать ', ' в скрипте?'],
      compared: ['чем отличается ', ' от Кобола'],
      date: ['', ' март 2025'],
      tab: ['', ' | Заметки инженера'],
    },
    syllables: words('бра кле дро фли гру жоп кве лун мип наст пло шиб раск свен тро вум зек зор'),
    otherField: words(
      'закваска опара тесто духовка пирог варенье огурцы рассада помидоры теплица удобрение обрезка ' +
        'яблони пасека улей парусник мачта якорь причал прилив баранина розмарин маринад подлива ' +
        'тушение вязание спицы свитер скрипка соната акварель глина гончар седло подкова форель ' +
        'рыбалка щука балалайка самовар',
    ),
  },
  de: {
    negation: /(?<!\p{L})(?:ohne|nicht|kein(?:e[nmrs]?)?)(?!\p{L})/iu,
    error: /fehler|ungültig|fehlgeschlagen|nicht gefunden|kann nicht|\b(?:error|failed|invalid)\b/i,
    months: words(
      'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
    ),
    writeDate: (day, month, year) => `${day}. ${month} ${year}`,
    frames: {
      request: ['bitte finde meine Notiz über ', ''],
      question: ['was ist ', '?'],
      use: ['wie verwende ich ', ' in einem Skript?'],
      compared: ['Unterschied zwischen ', ' und Cobol'],
      date: ['', ' März 2025'],
      tab: ['', ' | Notizen einer Ingenieurin'],
    },
    syllables: words('bra kle dro fli gru jop kwe lun mip nast plo quib rask sven tro vum wex zor'),
    otherField: words(
      'Sauerteig Hefe Kruste Rhabarber Vanillesoße Rosenschnitt Hortensie Kompost Setzlinge Tomaten ' +
        'Rankgitter Spinnaker Ruder Kiel Ebbe Schmorbraten Rosmarin Marinade Essiggurken Backofen ' +
        'Blätterteig Obstwiese Bienenstock Stricknadel Häkeln Geige Sonate Kirchenchor Aquarell ' +
        'Töpfern Brennofen Sattel Steigbügel Forelle Angeln Pilze Wanderstiefel Zelt Schlafsack',
    ),
  },
};
