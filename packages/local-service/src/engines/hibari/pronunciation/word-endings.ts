/** How a word is spoken in America or Britain. */
export type Accent = 'american' | 'british'

/** How an ending, such as `-ing`, changes the sounds of a word. */
export interface WordEnding {
  /** What the word may be without the ending, the likeliest first. */
  stems(word: string): readonly (string | false)[]
  /** @returns the sounds of the word, or `undefined` if the stem does not take the ending. */
  add(stem: string): string | undefined
  /** The stress of the stem, unless the word has one. */
  stress?: number
}

type Add = WordEnding['add']

const createEndings = (addS: Add, addEd: Add, addIng: Add): readonly WordEnding[] => [
  {
    stems(word) {
      if (word.length < 3 || !word.endsWith('s')) return []
      const isLong = word.length > 4
      const isPossessive =
        word.endsWith("'s") || (isLong && word.endsWith('es') && !word.endsWith('ies'))
      return [
        !word.endsWith('ss') && word.slice(0, -1),
        isPossessive && word.slice(0, -2),
        isLong && word.endsWith('ies') && `${word.slice(0, -3)}y`,
      ]
    },
    add: addS,
  },
  {
    stems(word) {
      if (word.length < 4 || !word.endsWith('d')) return []
      const hasEd = word.length > 4 && word.endsWith('ed') && !word.endsWith('eed')
      return [!word.endsWith('dd') && word.slice(0, -1), hasEd && word.slice(0, -2)]
    },
    add: addEd,
  },
  {
    stems(word) {
      if (word.length < 5 || !word.endsWith('ing')) return []
      const isLong = word.length > 5
      const isDoubled = isLong && /(?:([bcdgklmnprstvxz])\1ing|cking)$/.test(word)
      return [isLong && word.slice(0, -3), `${word.slice(0, -3)}e`, isDoubled && word.slice(0, -4)]
    },
    add: addIng,
    stress: 0.5,
  },
]

/** After these sounds, American speakers say a `t` between vowels as a tap. */
const tapBefore = /[AIOWYiuæɑəɛɪɹʊʌ]$/

const addS = (vowel: string) => (stem: string) => {
  if (/[ptkfθ]$/.test(stem)) return `${stem}s`
  return /[szʃʒʧʤ]$/.test(stem) ? `${stem}${vowel}z` : `${stem}z`
}

const addEd = (vowel: string, addToT: (stem: string) => string) => (stem: string) => {
  if (/[pkfθʃsʧ]$/.test(stem)) return `${stem}t`
  if (stem.endsWith('d')) return `${stem}${vowel}d`
  return stem.endsWith('t') ? addToT(stem) : `${stem}d`
}

const isTap = (stem: string) => stem.endsWith('t') && tapBefore.test(stem.slice(0, -1))

function addAmericanEdToT(stem: string): string {
  if (stem.length < 2) return `${stem}ɪd`
  return isTap(stem) ? `${stem.slice(0, -1)}ɾᵻd` : `${stem}ᵻd`
}

const addAmericanIng = (stem: string) => (isTap(stem) ? `${stem.slice(0, -1)}ɾɪŋ` : `${stem}ɪŋ`)
/** After these sounds, an `r` comes before the ending, which no rule adds. */
const addBritishIng = (stem: string) => (/[əː]$/.test(stem) ? undefined : `${stem}ɪŋ`)

/** The endings of each accent, in the order in which they are tried. */
export const endingsOf: Readonly<Record<Accent, readonly WordEnding[]>> = {
  american: createEndings(addS('ᵻ'), addEd('ᵻ', addAmericanEdToT), addAmericanIng),
  british: createEndings(
    addS('ɪ'),
    addEd('ɪ', (stem) => `${stem}ɪd`),
    addBritishIng,
  ),
}
