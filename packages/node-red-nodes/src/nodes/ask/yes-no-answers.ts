interface YesNo {
  yes: string
  no: string
}

/** The sentences by language, separated by bars. The first of each is what the page shows. */
const sentences: Readonly<Record<string, YesNo>> = {
  en: {
    yes: 'yes|yes please|yes I do|yeah|yep|sure|of course|okay|please do|do it|go ahead|all right',
    no: 'no|no thanks|no thank you|nope|not now|never mind|please do not|do not do it|no need',
  },
  de: {
    yes: 'ja|ja bitte|ja gerne|gerne|klar|natürlich|okay|in Ordnung|mach das|bitte|jawohl|na klar',
    no: 'nein|nein danke|nee|lieber nicht|jetzt nicht|nicht jetzt|bitte nicht|nicht nötig|lass es',
  },
  fr: {
    yes: 'oui|oui merci|oui s’il te plaît|oui s’il vous plaît|bien sûr|d’accord|volontiers|vas-y|okay|avec plaisir',
    no: 'non|non merci|pas maintenant|surtout pas|laisse tomber|ce n’est pas la peine|pas la peine',
  },
  es: {
    yes: 'sí|sí por favor|sí gracias|claro|claro que sí|por supuesto|vale|de acuerdo|hazlo|adelante',
    no: 'no|no gracias|ahora no|mejor no|déjalo|no hace falta|no es necesario',
  },
  ja: {
    yes: 'はい|はいお願いします|お願いします|お願い|うん|いいよ|いいですよ|もちろん|オーケー',
    no: 'いいえ|いいえ結構です|結構です|いや|ううん|やめて|今はいいです|いらない',
  },
  zh: {
    yes: '是|是的|好|好的|可以|当然|行|要|没问题',
    no: '不|不是|不要|不用|不用了|不行|算了|先不要',
  },
}

/** The sentences for yes, whose output is the first one, and for no. Other languages get those of English. */
export function yesNoSentences(language: string) {
  const { yes, no } = sentences[language] ?? sentences['en']!
  const toAnswers = (all: string, name: string, output: number) =>
    all.split('|').map((sentence) => ({ sentence, name, output, value: output === 0 }))
  return [...toAnswers(yes, 'yes', 0), ...toAnswers(no, 'no', 1)]
}
