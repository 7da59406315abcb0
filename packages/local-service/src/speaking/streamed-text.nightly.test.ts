import { createSentenceCutter } from '@parlando/core/text'
import { speechModelIds } from '@parlando/core/wire'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { isThoroughRun } from '@parlando/test-support/vitest/property-runs'
import { describe, expect, it } from 'vitest'
import { createWaitingText, type WaitingText } from '../api/speech/speech-socket/waiting-text.ts'
import { createEncoderPool } from '../audio/encoding/encoder-pool.ts'
import { englishCases } from '../text/spell-out/english/spell-english.test-cases.ts'
import { cutUtterance } from './speak-utterance.ts'
import { addBefore, addText, resolveSettings, type SynthesisSettings } from './synthesis-request.ts'

const testApp = useTestApp()
const texts = Object.values(englishCases).flatMap((cases) => cases.map(([text]) => `${text}. So.`))

function cutSentences(openingCharacters?: number): WaitingText {
  const cutter = createSentenceCutter({ openingCharacters })
  return { push: cutter.push, flush: cutter.end }
}

/** Every place of the text; without a thorough run every two-hundredth one, in each text from another one on. */
function cutsOf(text: string, textIndex: number): number[] {
  const isCut = (place: number) => isThoroughRun || (place + textIndex) % 200 === 0
  return Array.from(text, (_, place) => place).filter(isCut)
}

/** Every way in which the service collects text that arrives in pieces. */
const collectors: Readonly<Record<string, () => WaitingText>> = {
  'Wyoming and sentences on a socket': () =>
    createWaitingText({ autoMode: true, autoModeStrategy: 'SENTENCE_BOUNDARY' }),
  'a socket with the default threshold': () => createWaitingText({}),
  'a socket with a threshold of 20': () => createWaitingText({ bufferCharThreshold: 20 }),
  'a socket with a threshold of 1': () => createWaitingText({ bufferCharThreshold: 1 }),
  'a realtime session': () => cutSentences(18),
}

function settingsOf(modelId: string): SynthesisSettings {
  const { voiceList, flite } = testApp
  const service = { voiceList, engines: new Map([['flite', flite]]), encoders: createEncoderPool() }
  return resolveSettings({ voiceId: 'Clara', modelId }, service)
}

/** The words that the engine is given for texts that are spoken one after the other. */
function spokenWords(parts: readonly string[], settings: SynthesisSettings): string {
  let before = ''
  const phrases = parts.flatMap((part) => {
    const request = addText(settings, part, { isPart: true, before })
    before = addBefore(before, part)
    return [...cutUtterance(request)]
  })
  return phrases
    .map(({ text }) => text.replace(/[.,:;]+(?= |$)/g, ''))
    .join(' ')
    .replace(/ {2,}/g, ' ')
}

describe.each(speechModelIds)('with the model %s', (modelId) => {
  it.each(Object.keys(collectors))(
    'streamed text reads the same wherever it is cut: %s',
    (name) => {
      const settings = settingsOf(modelId)
      const differing = texts.flatMap((text, textIndex) => {
        const whole = spokenWords([text], settings)
        return cutsOf(text, textIndex).flatMap((cut) => {
          const collector = collectors[name]!()
          const parts = [text.slice(0, cut), text.slice(cut)].flatMap((piece) =>
            collector.push(piece),
          )
          const spoken = spokenWords([...parts, ...collector.flush()], settings)
          return spoken === whole ? [] : [`${text.slice(0, cut)}|${text.slice(cut)}: ${spoken}`]
        })
      })
      expect(differing).toEqual([])
    },
  )
})
