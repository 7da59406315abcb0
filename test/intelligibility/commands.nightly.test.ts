import { needsRecogniser } from '@parlando/test-support/audio/recogniser'
import { describe, expect, it } from 'vitest'
import { chooseCommands, chooseOthers, commands } from './commands.ts'
import { inParallel, isNightly, listEnglishVoices, useService } from './service.ts'

const getClient = useService()

// A small sample may miss two commands, and accept one other sentence.
const [commandCount, otherCount] = isNightly ? [1000, 200] : [12, 3]
const [minRight, maxAccepted] = isNightly ? [0.97, 0.04] : [0.8, 0.34]

interface Spoken {
  text: string
  voiceId: string
  isCommand: boolean
}

describe('a list of sentences, spoken by every voice', needsRecogniser(), () => {
  /** @returns the sentence of the list that the service recognised; null if it understood none. */
  async function recognise({ text, voiceId }: Spoken): Promise<string | null> {
    const speech = await getClient().synthesize({
      text,
      voiceId,
      modelId: 'svc-tts-2',
      audioConfig: { audioEncoding: 'WAV', sampleRateHertz: 16_000 },
    })
    const request = { audio: speech.audio, sentences: [...commands] }
    const { sentenceMatch } = await getClient().transcribe(request)
    return sentenceMatch?.sentence ?? null
  }

  it.each([
    'set the garage lights to ninety percent',
    'close the garage curtains',
    'turn the garage fan off',
  ])('is recognised as a British voice says it: %s', async (text) => {
    expect(await recognise({ text, voiceId: 'Harriet', isCommand: true })).toBe(text)
  })

  it('is recognised in nearly all cases, never as another one, and hardly ever in other sentences', async () => {
    const voices = await listEnglishVoices(getClient())
    const toSpoken = (isCommand: boolean) => (text: string, index: number) => {
      // Another voice whenever the same sentence comes again.
      const voice = voices[(index + Math.floor(index / voices.length)) % voices.length]!
      return { text, voiceId: voice.voiceId, isCommand }
    }
    const spoken = [
      ...chooseCommands(commandCount).map(toSpoken(true)),
      ...chooseOthers(otherCount).map(toSpoken(false)),
    ]
    const matches = await inParallel(spoken, recognise)
    const results = spoken.map((one, index) => ({ ...one, match: matches[index]! }))

    const said = results.filter(({ isCommand }) => isCommand)
    const right = said.filter(({ text, match }) => match === text)
    const wrong = said.filter(({ text, match }) => match !== null && match !== text)
    const accepted = results.filter(({ isCommand, match }) => !isCommand && match !== null)
    console.table(
      results.filter(({ isCommand, text, match }) => match !== (isCommand ? text : null)),
    )
    expect(wrong).toEqual([])
    expect(right.length / commandCount).toBeGreaterThanOrEqual(minRight)
    expect(accepted.length / otherCount).toBeLessThanOrEqual(maxAccepted)
  }, 3_600_000)
})
