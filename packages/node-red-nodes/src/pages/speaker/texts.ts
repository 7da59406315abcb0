const english = {
  tap: 'Tap here to allow sound',
  why: 'Browsers stay silent until somebody has tapped the page. Once is enough, until the page is loaded again.',
  ready: 'Ready',
  connecting: 'Not connected to Node-RED. Trying again …',
  waiting: 'Announcements appear here.',
  volume: 'Volume',
  earlier: 'Earlier',
  noSound: 'This browser cannot play sound.',
  soundWithoutText: 'A sound',
}

/** The texts of the page, by language. */
const texts: Readonly<Record<string, typeof english>> = {
  en: english,
  de: {
    tap: 'Hier tippen, um Ton zu erlauben',
    why: 'Browser bleiben stumm, bis jemand auf die Seite getippt hat. Einmal genügt, bis die Seite neu geladen wird.',
    ready: 'Bereit',
    connecting: 'Keine Verbindung zu Node-RED. Neuer Versuch …',
    waiting: 'Hier erscheinen die Durchsagen.',
    volume: 'Lautstärke',
    earlier: 'Zuletzt',
    noSound: 'Dieser Browser kann keinen Ton abspielen.',
    soundWithoutText: 'Ein Klang',
  },
  es: {
    tap: 'Toca aquí para permitir el sonido',
    why: 'Los navegadores guardan silencio hasta que alguien toca la página. Basta una vez, hasta que la página se vuelva a cargar.',
    ready: 'Listo',
    connecting: 'Sin conexión con Node-RED. Se intenta de nuevo…',
    waiting: 'Aquí aparecen los avisos.',
    volume: 'Volumen',
    earlier: 'Antes',
    noSound: 'Este navegador no puede reproducir sonido.',
    soundWithoutText: 'Un sonido',
  },
  fr: {
    tap: 'Touchez ici pour autoriser le son',
    why: 'Les navigateurs restent muets tant que personne n’a touché la page. Une fois suffit, jusqu’au prochain chargement.',
    ready: 'Prêt',
    connecting: 'Pas de connexion à Node-RED. Nouvel essai…',
    waiting: 'Les annonces s’affichent ici.',
    volume: 'Volume',
    earlier: 'Auparavant',
    noSound: 'Ce navigateur ne peut pas lire de son.',
    soundWithoutText: 'Un son',
  },
  ja: {
    tap: 'ここをタップして音声を許可',
    why: 'ブラウザーは、誰かがページをタップするまで音を出しません。ページを再読み込みするまで、一度で十分です。',
    ready: '準備完了',
    connecting: 'Node-RED に接続していません。再接続しています…',
    waiting: 'アナウンスがここに表示されます。',
    volume: '音量',
    earlier: 'これまで',
    noSound: 'このブラウザーは音を再生できません。',
    soundWithoutText: '音声',
  },
  zh: {
    tap: '点按此处以允许声音',
    why: '在有人点按页面之前，浏览器不会发出声音。点按一次即可，直到重新加载页面。',
    ready: '就绪',
    connecting: '未连接到 Node-RED。正在重试…',
    waiting: '公告会显示在这里。',
    volume: '音量',
    earlier: '之前',
    noSound: '此浏览器无法播放声音。',
    soundWithoutText: '声音',
  },
}

/** The texts in the first language of the browser that there is. @param languages Such as `de-AT`, the preferred one first. */
export function pageTexts(languages: readonly string[]): {
  language: string
  texts: typeof english
} {
  const short = languages.map((language) => language.slice(0, 2).toLowerCase())
  const language = short.find((language) => texts[language]) ?? 'en'
  return { language, texts: texts[language]! }
}
