import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import {
  seconds,
  textsOn,
  useAnnouncer,
  useFakeClock,
} from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it } from 'vitest'

useFakeClock()

/** An announcer whose speaker a deploy replaces: `close`, and then `replace` or `remove`. */
function useDeploy() {
  const { announce, announcer, kitchen, states } = useAnnouncer()
  const [hall, replaced] = [createFakeSpeaker('hall'), createFakeSpeaker('kitchen')]
  let current = [kitchen]
  const findSpeakers = () => {
    if (current.length === 0) throw new Error('No speaker has this name')
    return current
  }
  const end = (speakers: typeof current) => {
    current = speakers
    announcer.speakersReplaced()
  }
  return {
    announcer,
    announce: (text: string, changes: Parameters<typeof announce>[1] = {}) =>
      announce(text, { findSpeakers, ...changes }),
    kitchen,
    hall,
    replaced,
    states,
    async close() {
      kitchen.isClosed = true
      await kitchen.driver.close()
    },
    replace: () => end([replaced]),
    remove: () => end([]),
  }
}

describe('while a deploy replaces a speaker', () => {
  it('nothing begins on it, and afterwards what was cut begins first', async () => {
    const { announce, kitchen, replaced, close, replace } = useDeploy()
    const reports = [announce('One.'), announce('Two.')]
    await seconds(1)
    await close()
    reports.push(announce('Three.'))
    await seconds(20)
    expect(textsOn(kitchen)).toEqual(['One....'])
    replace()
    await seconds(10)
    expect(textsOn(replaced)).toEqual(['One.', 'Two.', 'Three.'])
    expect(await Promise.all(reports)).toMatchObject(Array(3).fill({ status: 'said', times: 1 }))
  })

  it('what waits for it still expires', async () => {
    const { announce, close } = useDeploy()
    await close()
    const report = announce('Dinner is ready.')
    await seconds(301)
    expect(await report).toMatchObject({ status: 'not said', reason: 'expired' })
  })

  it('an announcement on several speakers waits for it', async () => {
    const { announce, kitchen, hall, replaced, close, replace } = useDeploy()
    let speakers = [kitchen, hall]
    await close()
    const report = announce('Dinner is ready.', { speakers, findSpeakers: () => speakers })
    await seconds(5)
    expect(textsOn(hall)).toEqual([])
    speakers = [replaced, hall]
    replace()
    await seconds(5)
    expect(textsOn(hall)).toEqual(['Dinner is ready.'])
    expect(await report).toMatchObject({ speakers: [{ status: 'said' }, { status: 'said' }] })
  })

  it('its substitute says nothing that it says itself afterwards', async () => {
    const { announce, kitchen, hall, replaced, close, replace } = useDeploy()
    kitchen.instead = () => [hall]
    announce('Dinner is ready.')
    await seconds(1)
    await close()
    await seconds(5)
    replace()
    await seconds(5)
    expect([textsOn(hall), textsOn(replaced)]).toEqual([[], ['Dinner is ready.']])
  })

  it('an alarm rests as long as usual', async () => {
    const { announce, announcer, kitchen, replaced, close, replace, states } = useDeploy()
    const repeat = { times: Infinity, everySeconds: 30, untilAcknowledged: true }
    const report = announce('Fire.', { priority: 'alarm', repeat })
    await seconds(5)
    await close()
    await seconds(1)
    replace()
    await seconds(25)
    expect(replaced.played[0]!.startedAt - kitchen.played[0]!.startedAt).toBe(30_000)
    await seconds(3)
    announcer.acknowledge()
    expect(await report).toMatchObject({ times: 2, acknowledged: true })
    expect(states).not.toContain('Fire.: failed')
  })
})

describe('when a deploy removes a speaker', () => {
  it('an alarm that sounds there fails', async () => {
    const { announce, close, remove } = useDeploy()
    const repeat = { times: Infinity, everySeconds: 30, untilAcknowledged: true }
    const report = announce('Fire.', { priority: 'alarm', repeat }).catch((error) => error)
    await seconds(1)
    await close()
    remove()
    await seconds(1)
    expect(await report).toMatchObject({ message: 'No speaker has this name' })
  })

  it('what is said on another one, too, is said there', async () => {
    const { announce, kitchen, hall, close, remove } = useDeploy()
    let speakers = [kitchen, hall]
    const report = announce('Dinner is ready.', { speakers, findSpeakers: () => speakers })
    await seconds(1)
    await close()
    speakers = [hall]
    remove()
    await seconds(5)
    expect(await report).toMatchObject({ status: 'said' })
    expect(textsOn(hall)).toEqual(['Dinner is ready.'])
  })
})
