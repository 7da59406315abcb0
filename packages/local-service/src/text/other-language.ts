import { setOf } from './spell-out/word.ts'

/** Words that are frequent in a language and rare in the other ones, in small letters. */
const wordsByLanguage: Readonly<Record<string, ReadonlySet<string>>> = {
  en: setOf(`
    the is are was be been being of and to at for with on in it its this that these those you your we our they their he she
    has have had not but or from by as an a i my me will would can could should do does did there here what when where how
    who please now today open closed play turn set stop start music
  `),
  de: setOf(`
    der das und ist nicht ein eine einen einem einer ich wir ihr mit auf für von zum zur im dem wird werden wurde haben sind
    bitte heute morgen noch auch nach bei aus wenn oder aber jetzt uhr kein keine keinen sie ihre gibt über unter grad tür
    fenster fertig guten gute tag abend küche keller haus wohnzimmer schlafzimmer sich schon nur mehr sehr zu es als vom
    ihnen hallo danke
  `),
  fr: setOf(`
    le la les des du un une et est sont pas que qui dans pour sur avec vous nous je il elle ils ce cette ces au aux votre
    notre mais ou où plus très bonjour bonsoir merci maintenant porte fenêtre ouverte fermée il y a été être avoir fait
    chez sans sous par
  `),
  es: setOf(`
    el la los las una uno y es está están que en por para con del al se su sus lo pero más muy hoy ahora puerta ventana
    abierta cerrada hay son no te usted buenos buenas días gracias hola como cuando desde hasta sobre
  `),
  it: setOf(`
    il lo la gli una e è sono che di per con del della delle nel nella non si ma più molto oggi ora adesso porta finestra
    aperta chiusa buongiorno buonasera grazie ciao questo questa anche come quando
  `),
  nl: setOf(`
    de het een en van niet dat op te zijn met voor er maar ook als aan bij nog naar uit wordt deur raam staat goedemorgen
    dank je wel deze dit geen nu vandaag klaar
  `),
  pt: setOf(`
    o os uma um e é está estão não que em por para com do da dos das no na se mas mais muito hoje agora porta janela aberta
    fechada bom boa obrigado olá você seu sua
  `),
}
// The beginning of a long text is enough to decide.
const maxExaminedCharacters = 2000
const minMatches = 2
const minShare = 0.25

/**
 * Recognises a language by its most frequent words, also in a single short sentence, for which statistics of letters are
 * not reliable.
 * @returns a code such as `de`, or `undefined` for English, for other languages and for a text that may be in several.
 */
export function findOtherLanguage(text: string): string | undefined {
  const start = text.slice(0, maxExaminedCharacters).toLowerCase()
  const words = start.match(/[\p{L}\p{M}]+/gu) ?? []
  const counts = Object.entries(wordsByLanguage).map(([language, known]) => ({
    language,
    matches: words.filter((word) => known.has(word)).length,
  }))
  const english = counts[0]!.matches
  const [first, second] = counts.sort((one, other) => other.matches - one.matches)
  const { language, matches } = first!
  const isClear = matches > second!.matches && matches > 2 * english
  const isFrequent = matches >= minMatches && matches >= words.length * minShare
  return isClear && isFrequent && language !== 'en' ? language : undefined
}
