import { createSentenceCutter } from '@parlando/core/text'
import { speechModelIds } from '@parlando/core/wire'
import { useTestApp } from '@parlando/test-support/local-service/test-app'
import { describe, expect, it } from 'vitest'
import { createWaitingText, type WaitingText } from '../api/speech-socket/waiting-text.ts'
import { createEncoderPool } from '../encoding/encoder-pool.ts'
import { spellOutCases } from '../text/spell-out/spell-out.cases.ts'
import { addText, resolveSettings, type SynthesisSettings } from './synthesis-request.ts'
import { cutUtterance } from './utterance.ts'

const testApp = useTestApp()
const texts = Object.values(spellOutCases).flatMap((cases) => cases.map(([text]) => `${text}. So.`))

function cutSentences(openingCharacters?: number): WaitingText {
  const cutter = createSentenceCutter({ openingCharacters })
  return { push: cutter.push, flush: cutter.end }
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
  const { catalogue, flite } = testApp
  const service = { catalogue, engines: new Map([['flite', flite]]), encoders: createEncoderPool() }
  return resolveSettings({ voiceId: 'Clara', modelId }, service)
}

/** The words that the engine is given for texts that are spoken one after the other. */
function spokenWords(parts: readonly string[], settings: SynthesisSettings): string {
  let before = ''
  const phrases = parts.flatMap((part) => {
    const request = addText(settings, part, { isPart: true, before })
    before = part.trim()
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
      const differing = texts.flatMap((text) => {
        const whole = spokenWords([text], settings)
        return Array.from(text, (_, cut) => cut).flatMap((cut) => {
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
