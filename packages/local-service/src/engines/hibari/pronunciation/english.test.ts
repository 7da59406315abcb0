import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openEnglish } from './english.ts'

const folder = dirname(fileURLToPath(import.meta.resolve('@parlando/voices/package.json')))
const open = openEnglish(folder)
const english = open('american')

/** What hibari-tts 0.2.1, whose networks have learned from such phonemes, makes of each sentence. */
const sentences: readonly (readonly [string, string])[] = [
  ['The washing machine is done.', 'ðə wˈɔʃɪŋ məʃˈin ɪz dˈʌn.'],
  [
    'I read it yesterday, and you will read it tomorrow.',
    'ˌI ɹˈɛd ɪt jˈɛstəɹdˌA, ænd ju wɪl ɹˈid ɪt təmˈɑɹO.',
  ],
  ['They live near the live music.', 'ðˌA lˈɪv nˌɪɹ ðə lˈIv mjˈuzɪk.'],
  ['We use it for a good use.', 'wˌi jˈuz ɪt fɔɹ ɐ ɡˈʊd jˈus.'],
  ['Please record a new record.', 'plˈiz ɹəkˈɔɹd ɐ nˈu ɹˈɛkəɹd.'],
  ['The wind will wind the clock.', 'ðə wˈɪnd wɪl wˈInd ðə klˈɑk.'],
  ['Close the door; it is too close.', 'klˈOz ðə dˈɔɹ; ɪt ɪz tˈu klˈOs.'],
  ['She used to use the used car.', 'ʃˌi jˈust tə jˈuz ðə jˈuzd kˈɑɹ.'],
  ["It isn't the dog's; it's the cats'.", 'ˌɪt ˈɪzᵊnt ðə dˈɔɡz; ɪts ðə kˈæts”.'],
  ['An apple, a pear, the orange and the banana.', 'ɐn ˈæpᵊl, ɐ pˈɛɹ, ði ˈɔɹᵊnʤ ænd ðə bənˈænə.'],
  [
    'Dr. Smith lives in Oak St. near the U.S. embassy.',
    'dˈɑktəɹ smˈɪθ lˈIvz ɪn ˈOk sənt nˌɪɹ ðə jˌuˈɛs ˈɛmbəsi.',
  ],
  ['The living-room lights are on.', 'ðə lˈɪvɪŋɹˌum lˈIts ɑɹ ˌɔn.'],
  ['Open Spotify on the Zigbee speaker!', 'ˈOpᵊn spˈɑTᵻfˌI ˌɔn ðə zˈɪɡbi spˈikəɹ!'],
  ['Is anybody at the front door?', 'ˌɪz ˈɛnibˌɑdi æt ðə fɹˈʌnt dˈɔɹ?'],
  ['"Dinner is ready," said Anna.', 'dˈɪnəɹ ɪz ɹˈɛdi, sˈɛd ˈɑnə.'],
  ['Take the to-do list to the office.', 'tˈAk ðə tədˈu lˈɪst tə ði ˈɔfəs.'],
  ['The garage door was opened and closed twice.', 'ðə ɡəɹˈɑʒ dˈɔɹ wʌz ˈOpᵊnd ænd klˈOzd twˈIs.'],
  ['He tears up when he sees the tears.', 'hˌi tˈɛɹz ˌʌp wˌɛn hi sˈiz ðə tˈɪɹz.'],
  ['Present the present to the children.', 'pɹizˈɛnt ðə pɹˈɛzᵊnt tə ðə ʧˈɪldɹᵊn.'],
  [
    "The refrigerator's been running since morning.",
    'ðə ɹəfɹˈɪʤəɹˌATəɹz bɪn ɹˈʌnɪŋ sˈɪns mˈɔɹnɪŋ.',
  ],
  ['WARNING: the smoke detector reports smoke!', 'wˈɔɹnɪŋ: ðə smˈOk dətˈɛktəɹ ɹəpˈɔɹts smˈOk!'],
  ['Goodnight, Alexa... or whoever listens.', 'ɡˌʊdnˈIt, əlˈɛksə... ɔɹ huˈɛvəɹ lˈɪsᵊnz.'],
]

/** What the package misreads: names, and words that sound in two ways. */
const betterSentences: readonly (readonly [string, string])[] = [
  ['Lead the way past the lead pipe.', 'lˈid ðə wˈA pˈæst ðə lˈɛd pˈIp.'],
  ['TRADFRI lamp in the bathroom.', 'tɹˈɑdfɹi lˈæmp ɪn ðə bˈæθɹˌum.'],
  ['Nguyen and Siobhan call from Xiaomi.', 'wˈɪn ænd ʃəvˈɔn kˈɔl fɹʌm ʃˈWmi.'],
]

/** What the package makes of sentences with its British lists. */
const britishSentences: readonly (readonly [string, string])[] = [
  ['The washing machine is done.', 'ðə wˈɒʃɪŋ məʃˈiːn ɪz dˈʌn.'],
  [
    'Please close the garage door after the parcel has arrived.',
    'plˈiːz klˈQz ðə ɡˈaɹɑːʤ dˈɔː ˈɑːftə ðə pˈɑːsᵊl haz əɹˈIvd.',
  ],
  [
    'She started dancing before the dishes were washed.',
    'ʃˌiː stˈɑːtɪd dˈɑːnsɪŋ bɪfˈɔː ðə dˈɪʃɪz wɜː wˈɒʃt.',
  ],
  [
    'I read it yesterday, and you will read it tomorrow.',
    'ˌI ɹˈɛd ɪt jˈɛstədA, and juː wɪl ɹˈiːd ɪt tʊmˈɒɹQ.',
  ],
  [
    'Her cousins visited the bath house in the afternoon.',
    'hˌɜː kˈʌzᵊnz vˈɪzɪtɪd ðə bˈɑːθ hˈWs ɪn ði ˌɑːftənˈuːn.',
  ],
  ['The schedule was wanted in the laboratory.', 'ðə ʃˈɛdjuːl wɒz wˈɒntɪd ɪn ðə ləbˈɒɹətəɹi.'],
  ['Put the aluminium boxes on the path.', 'pˌʊt ði ˌaljʊmˈɪnɪəm bˈɒksɪz ˌɒn ðə pˈɑːθ.'],
  ['Open Spotify on the Zigbee speaker!', 'ˈQpᵊn spˈɒtɪfˌI ˌɒn ðə zˈɪɡbiː spˈiːkə!'],
  ['Nobody visited the neighbours.', 'nˈQbədi vˈɪzɪtɪd ðə nˈAbəz.'],
  ['The dancer is wearing glasses.', 'ðə dˈɑːnsə ɪz wˈɛːɹɪŋ ɡlˈɑːsɪz.'],
  ['Nguyen and Siobhan call from Xiaomi.', 'əŋɡˈIən and sɪˈɒbhan kˈɔːl fɹɒm zˈIəɹˌQmi.'],
  [
    'He is hearing better and remembering colours.',
    'hˌiː ɪz hˈɪəɹɪŋ bˈɛtə and ɹɪmˈɛmbəɹɪŋ kˈʌləz.',
  ],
]

describe('British sentences', () => {
  const british = open('british')

  it.each(britishSentences)('%s', (text, expected) => {
    expect(british.phonemize(text).join(' ')).toBe(expected)
  })

  it('have a number for each sound', () => {
    const [sounds] = british.phonemize('path')
    expect(british.number(sounds!)).toHaveLength(sounds!.length)
  })
})

describe('English sentences', () => {
  it.each([...sentences, ...betterSentences])('%s', (text, expected) => {
    expect(english.phonemize(text).join(' ')).toBe(expected)
  })

  it('have sounds for each word between two spaces', () => {
    expect(english.phonemize(' The to-do  list ')).toHaveLength(3)
  })

  it('skip what cannot be said', () => {
    expect(english.phonemize('☃ 漢字')).toEqual(['', ''])
    expect(english.phonemize('')).toEqual([''])
  })

  it('take a moment, also for a word of many marks or letters', () => {
    for (const part of ['a', "'", '.', '-', 'aB', '"(']) {
      expect(english.phonemize(part.repeat(2_000)).length).toBeGreaterThan(0)
    }
  })

  it('have a number for each sound', () => {
    const numbers = english.number('həlˈO ðˈɛɹ.')
    expect(numbers).toHaveLength(11)
    expect(new Set(numbers).size).toBeGreaterThan(8)
    expect(english.number('☃')).toEqual([])
  })
})
