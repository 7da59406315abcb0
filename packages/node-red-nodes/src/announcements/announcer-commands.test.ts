import type { Client } from '@parlando/core'
import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { seconds, useAnnouncer, useFakeClock } from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it } from 'vitest'
import type { Heard } from '../speakers/display.ts'
import type { Announcement } from './announcement.ts'

useFakeClock()

/** A speaker whose microphone hears what the test says. */
function useVoice(match = (text: string): object => ({ sentence: text, nearest: [] })) {
  const kitchen = createFakeSpeaker('kitchen')
  let say: ((sentence: string) => void) | undefined
  let isOpen = false
  kitchen.driver.hearCommands = async (onPcm, signal) => {
    isOpen = true
    // Longer than the echo of an announcement is searched for.
    onPcm(Buffer.alloc(4 * 32_000), 'machine')
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    isOpen = false
  }
  // What a service recognises is not the subject here.
  const transcribeStream = () => {
    const said: string[] = []
    let wake = () => {}
    say = (sentence) => {
      said.push(sentence)
      wake()
    }
    return {
      write: async () => {},
      end() {},
      async *[Symbol.asyncIterator]() {
        for (;;) {
          for (const text of said.splice(0)) {
            yield { type: 'speechStarted', startMs: 3000 }
            yield { type: 'speechStopped', silenceMs: 300 }
            yield { type: 'final', text, sentenceMatch: match(text) }
          }
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      },
    }
  }
  const shown: Heard[] = []
  kitchen.driver.display = {
    showQuestion() {},
    hideQuestion() {},
    showHeard: (heard) => shown.push(heard),
  }
  const problems: unknown[] = []
  const recogniser: NonNullable<Announcement['recogniser']> = {
    language: 'en-US',
    use: (_signal, work) => work({ transcribeStream } as unknown as Client),
    onProblem: (error) => problems.push(error),
  }
  return {
    kitchen,
    recogniser,
    problems,
    shown,
    say: (sentence: string) => say?.(sentence),
    isOpen: () => isOpen,
  }
}

describe('what somebody says to an announcement', () => {
  const alarm = { repeat: { times: Infinity, everySeconds: 60, untilAcknowledged: true } }

  it.each([
    ['stop', { status: 'not said', reason: 'stopped' }],
    ['okay', { status: 'said', acknowledged: true }],
  ])('"%s" ends it', async (sentence, expected) => {
    const { kitchen, recogniser, say, isOpen } = useVoice()
    const { announce, texts } = useAnnouncer(kitchen)
    const report = announce('Water!', { ...alarm, recogniser, seconds: 5 })
    await seconds(1)
    expect(isOpen()).toBe(true)
    say(sentence)
    await seconds(1)
    expect(await report).toMatchObject(expected)
    expect(texts()).toEqual(['Water!...'])
    expect(isOpen()).toBe(false)
  })

  it.each([
    ['is taken if the transcript is the sentence that fits best', 'stop', 'different', 1],
    ['is taken if the two differ only in capitals', 'Stop!', 'different', 1],
    ['is none if it is not', 'later', 'different', 0],
    ['is none in noise', 'stop', 'noise', 0],
  ])('that fits hardly better than any sounds %s', async (_fact, nearest, reason, stopped) => {
    const { kitchen, recogniser, say } = useVoice(() => ({
      sentence: null,
      nearest: [nearest],
      reason,
    }))
    const { announce, texts } = useAnnouncer(kitchen)
    announce('Water!', { recogniser, seconds: 5 })
    await seconds(1)
    say('stop')
    await seconds(6)
    expect(texts()).toEqual([stopped ? 'Water!...' : 'Water!'])
  })

  it('"later" says it again in ten minutes, and "again" now', async () => {
    const { kitchen, recogniser, say } = useVoice()
    const { announce, announcer, texts } = useAnnouncer(kitchen)
    announce('Water!', { ...alarm, recogniser, seconds: 5 })
    await seconds(1)
    say('not now')
    await seconds(598)
    expect(texts()).toEqual(['Water!...'])
    await seconds(4)
    say('say it again')
    await seconds(10)
    expect(texts()).toEqual(['Water!...', 'Water!...', 'Water!'])
    announcer.acknowledge()
  })

  it('is heard until six seconds after its end, and not while there is silence or music', async () => {
    const { kitchen, recogniser, isOpen } = useVoice()
    const { announce } = useAnnouncer(kitchen)
    announce('Dinner.', { recogniser })
    await seconds(7)
    expect(isOpen()).toBe(true)
    await seconds(2)
    expect(isOpen()).toBe(false)
    announce('Music.', { recogniser, isMusic: true })
    await seconds(1)
    expect(isOpen()).toBe(false)
  })

  it('is the announcement itself, if it contains the words: nothing happens', async () => {
    const { kitchen, recogniser, say, shown } = useVoice()
    const { announce, texts } = useAnnouncer(kitchen)
    announce('The bus will stop here.', { recogniser, seconds: 5 })
    await seconds(1)
    say('stop')
    say('something else')
    await seconds(6)
    expect(texts()).toEqual(['The bus will stop here.'])
    expect(shown).toEqual([])
  })

  it('is shown on the page that plays it', async () => {
    const { kitchen, recogniser, say, shown } = useVoice()
    const { announce, announcer } = useAnnouncer(kitchen)
    announce('Water!', { ...alarm, recogniser, seconds: 5 })
    await seconds(1)
    say('remind me later')
    await seconds(0)
    const heard = { text: 'remind me later', isUnderstood: true, command: 'later' }
    expect(shown).toEqual([heard])
    announcer.acknowledge()
  })

  it('is not recognised in a language without commands, and a failure is reported', async () => {
    const { kitchen, recogniser, isOpen, problems } = useVoice()
    const { announce } = useAnnouncer(kitchen)
    announce('Ciao.', { recogniser: { ...recogniser, language: 'it' } })
    await seconds(1)
    expect(isOpen()).toBe(false)
    await seconds(3)
    const use = async () => {
      throw new Error('no recogniser')
    }
    announce('Hello.', { recogniser: { ...recogniser, use } })
    await seconds(1)
    expect(problems).toEqual([new Error('no recogniser')])
  })
})
