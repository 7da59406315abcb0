import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import {
  seconds,
  textsOn,
  useAnnouncer,
  useFakeClock,
} from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it } from 'vitest'
import { createSound } from '../sounds/sound.ts'
import { SpeakerError } from '../speakers/speaker-error.ts'

useFakeClock()

const gone = (name: string) => new SpeakerError('SPEAKER_NOT_REACHABLE', `${name} is off`)

/** An announcer with a kitchen that cannot play, and a hall that says it instead. */
function useKitchenAndHall() {
  const { kitchen, ...tested } = useAnnouncer()
  const hall = createFakeSpeaker('hall')
  kitchen.failure = gone('kitchen')
  kitchen.instead = () => [hall]
  return { ...tested, kitchen, hall }
}

describe('an announcement whose speaker cannot play', () => {
  it('is said on the speaker that says it instead, and the report names both', async () => {
    const { announce, hall, states } = useKitchenAndHall()
    const report = announce('Dinner is ready.')
    await seconds(2)
    expect(await report).toMatchObject({
      status: 'said',
      times: 1,
      durationSeconds: 2,
      speakers: [
        {
          name: 'kitchen',
          status: 'failed',
          error: { code: 'SPEAKER_NOT_REACHABLE', message: 'kitchen is off' },
          instead: 'hall',
        },
        { name: 'hall', status: 'said' },
      ],
    })
    expect(textsOn(hall)).toEqual(['Dinner is ready.'])
    expect(states.at(-1)).toBe('Dinner is ready.: saying on hall')
  })

  it('is said instead also if the speaker fails in the middle', async () => {
    const { announce, hall, kitchen } = useKitchenAndHall()
    kitchen.failure = undefined
    kitchen.driver.play = async () => {
      throw gone('kitchen')
    }
    expect(await announceAndWait(announce)).toMatchObject({ status: 'said' })
    expect(textsOn(hall)).toEqual(['News.'])
  })

  it('is said instead also if somebody has acknowledged it before', async () => {
    const { announce, announcer, hall, kitchen } = useKitchenAndHall()
    kitchen.failure = undefined
    announce('Plays.')
    const repeat = { times: Infinity, everySeconds: 30, untilAcknowledged: true }
    const report = announce('The door is open.', { repeat })
    announcer.acknowledge()
    await seconds(1)
    kitchen.failure = gone('kitchen')
    await seconds(4)
    expect(await report).toMatchObject({ status: 'said', times: 1, acknowledged: true })
    expect(textsOn(hall)).toEqual(['The door is open.'])
  })

  it('waits for its turn on the other speaker, while the next one is tried', async () => {
    const { announce, hall } = useKitchenAndHall()
    announce('Hall.', { speakers: [hall], seconds: 5 })
    await seconds(1)
    announce('First.')
    announce('Second.')
    await seconds(20)
    expect(textsOn(hall)).toEqual(['Hall.', 'First.', 'Second.'])
  })

  it('fails with its own error if its turn on the other speaker does not come', async () => {
    const { announce, hall } = useKitchenAndHall()
    announce('Hall.', { speakers: [hall], seconds: 100 })
    const failed = expect(announce('News.', { priority: 'info' })).rejects.toThrow('kitchen is off')
    await seconds(70)
    await failed
  })

  it('two speakers that stand in for each other do not wait for each other', async () => {
    const { announce, kitchen, hall } = useKitchenAndHall()
    hall.failure = gone('hall')
    hall.instead = () => [kitchen]
    const inKitchen = expect(announce('Kitchen.')).rejects.toThrow('kitchen is off')
    const inHall = expect(announce('Hall.', { speakers: [hall] })).rejects.toThrow('hall is off')
    await seconds(1)
    await Promise.all([inKitchen, inHall])
  })

  it('fails with its own error if the others cannot say it either', async () => {
    const { announce, hall } = useKitchenAndHall()
    hall.failure = gone('hall')
    const failed = expect(announce('News.')).rejects.toThrow('kitchen is off')
    await seconds(1)
    await failed
  })

  it('asks the speakers one after the other, three at most', async () => {
    const { announce, kitchen, texts } = useKitchenAndHall()
    const chain = ['1', '2', '3', '4'].map((name) => createFakeSpeaker(name))
    const [one, two, three, four] = chain
    for (const [index, speaker] of [kitchen, ...chain].entries()) {
      speaker.failure = gone(speaker.name)
      speaker.instead = () => chain.slice(index, index + 1)
    }
    three!.failure = undefined
    expect(await announceAndWait(announce)).toMatchObject({
      speakers: [
        { name: 'kitchen', instead: '1' },
        { name: '1', instead: '2' },
        { name: '2', instead: '3' },
        { name: '3', status: 'said' },
      ],
    })
    three!.failure = gone('3')
    four!.failure = undefined
    const failed = expect(announce('More.')).rejects.toThrow('kitchen is off')
    await seconds(1)
    await failed
    expect([one, two, three, four].map((speaker) => textsOn(speaker!))).toEqual([
      [],
      [],
      ['News.'],
      [],
    ])
    expect(texts()).toEqual([])
  })

  it('is said once by a speaker that says it anyway, or in place of two', async () => {
    const { announce, kitchen, hall } = useKitchenAndHall()
    const bedroom = createFakeSpeaker('bedroom')
    bedroom.failure = gone('bedroom')
    bedroom.instead = () => [hall]
    announce('With hall.', { speakers: [kitchen, bedroom, hall] })
    const both = announce('Without.', { speakers: [kitchen, bedroom] })
    await seconds(10)
    expect(textsOn(hall)).toEqual(['With hall.', 'Without.'])
    expect(await both).toMatchObject({
      times: 1,
      speakers: [
        { name: 'kitchen', instead: 'hall' },
        { name: 'bedroom', instead: 'hall' },
        { name: 'hall', status: 'said' },
      ],
    })
  })

  it('is not said by a speaker in its quiet hours', async () => {
    const { announce, kitchen } = useKitchenAndHall()
    const quietHours = { from: '0:00', to: '0:00', minPriority: 'urgent', action: 'hold' } as const
    kitchen.instead = () => [createFakeSpeaker('quiet', { quietHours })]
    const failed = expect(announce('News.')).rejects.toThrow('kitchen is off')
    await seconds(1)
    await failed
  })

  it('is not given to others if its sound cannot be made', async () => {
    const { announce, kitchen, hall } = useKitchenAndHall()
    kitchen.failure = undefined
    const broken = announce('News.', {
      makeSound({ format }) {
        const sound = createSound(format)
        sound.fail(new Error('the service is gone'))
        return sound
      },
    })
    const failed = expect(broken).rejects.toThrow('the service is gone')
    await seconds(1)
    await failed
    expect(hall.played).toEqual([])
  })

  it('tries its own speaker first each time it is repeated', async () => {
    const { announce, kitchen, hall, texts } = useKitchenAndHall()
    const repeat = { times: 2, everySeconds: 10, untilAcknowledged: false }
    const report = announce('Fire!', { repeat })
    await seconds(5)
    kitchen.failure = undefined
    await seconds(10)
    expect(await report).toMatchObject({
      times: 2,
      speakers: [{ name: 'kitchen', status: 'said' }],
    })
    expect([textsOn(hall), texts()]).toEqual([['Fire!'], ['Fire!']])
    expect(kitchen.played[0]!.startedAt - hall.played[0]!.startedAt).toBe(10_000)
  })

  it('keeps what others have said if it is stopped while one says it instead', async () => {
    const { announce, kitchen } = useKitchenAndHall()
    const bedroom = createFakeSpeaker('bedroom')
    const stopping = new AbortController()
    const report = announce('News.', { speakers: [kitchen, bedroom], signal: stopping.signal })
    await seconds(3)
    stopping.abort()
    await seconds(1)
    expect(await report).toMatchObject({
      status: 'said',
      speakers: [
        { name: 'kitchen', status: 'failed' },
        { name: 'bedroom', status: 'said' },
      ],
    })
  })

  it('is said again by the same speaker after a more important one', async () => {
    const { announce, hall } = useKitchenAndHall()
    const report = announce('News.', { seconds: 5 })
    await seconds(1)
    announce('Urgent.', { priority: 'urgent', speakers: [hall] })
    await seconds(10)
    expect(await report).toMatchObject({ status: 'said', times: 1 })
    expect(textsOn(hall)).toEqual(['News....', 'Urgent.', 'News.'])
  })

  async function announceAndWait(announce: ReturnType<typeof useAnnouncer>['announce']) {
    const report = announce('News.')
    await seconds(3)
    return await report
  }
})
