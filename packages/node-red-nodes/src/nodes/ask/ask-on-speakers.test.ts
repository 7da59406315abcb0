import { seconds, useFakeClock } from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it } from 'vitest'
import { createSound, soundOf } from '../../sounds/sound.ts'
import { SpeakerError } from '../../speakers/speaker-error.ts'
import {
  addDisplay,
  ask,
  createPlace,
  format,
  hear,
  questionSeconds,
  questionText,
  speech,
} from './asked-question.test-case.ts'

useFakeClock()

const no = expect.objectContaining({ name: 'no', value: false })

describe('a question on two speakers', () => {
  /** A second of a quiet room, and a second of speech. */
  const answer = (amplitude: number) => Buffer.concat([speech(1, 0.0005), speech(1, amplitude)])

  it('is answered where it is heard best, and the other microphone is closed', async () => {
    const [near, far] = [createPlace('near'), createPlace('far')]
    const { heard, say, outcome } = ask([near, far])
    await seconds(questionSeconds + 0.1)
    const loud = answer(0.5)
    await hear([near, loud], [far, answer(0.02)])
    expect([near.isOpen(), far.isOpen()]).toEqual([true, false])
    expect(heard().subarray(-32_000).equals(loud.subarray(-32_000))).toBe(true)
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('is heard on the other one if the chosen microphone is lost, and fails with the last one', async () => {
    const [near, far] = [createPlace('near'), createPlace('far')]
    const { asked } = ask([near, far])
    await seconds(questionSeconds + 0.1)
    await hear([near, answer(0.5)], [far, answer(0.02)])
    expect([near.isOpen(), far.isOpen()]).toEqual([true, false])
    near.loseMicrophone(new Error('near is unplugged'))
    await seconds(0.1)
    expect([near.isOpen(), far.isOpen()]).toEqual([false, true])
    const failed = expect(asked).rejects.toThrow('far is unplugged')
    far.loseMicrophone(new Error('far is unplugged'))
    await seconds(0.1)
    await failed
  })

  it('is heard on both again when it is over, although one was chosen while it was said', async () => {
    const [near, far] = [createPlace('near'), createPlace('far')]
    const { heard } = ask([near, far])
    await seconds(0.1)
    // It hears the other speaker.
    await hear([near, answer(0.02)], [far, answer(0.5)])
    expect([near.isOpen(), far.isOpen()]).toEqual([false, true])
    await seconds(questionSeconds)
    expect([near.isOpen(), far.isOpen()]).toEqual([true, true])
    const loud = answer(0.5)
    await hear([near, loud], [far, answer(0.02)])
    expect([near.isOpen(), far.isOpen()]).toEqual([true, false])
    expect(heard().subarray(-32_000).equals(loud.subarray(-32_000))).toBe(true)
  })

  it('goes on with the chosen microphone after a deploy that replaces none', async () => {
    const [near, far] = [createPlace('near'), createPlace('far')]
    const { deployed } = ask([near, far])
    await seconds(questionSeconds + 0.1)
    await hear([near, answer(0.5)], [far, answer(0.02)])
    deployed()
    await seconds(0.1)
    expect([near.isOpen(), far.isOpen()]).toEqual([true, false])
  })

  it('uses one microphone once, although it belongs to both', async () => {
    const [kitchen, hall] = [createPlace('kitchen'), createPlace('hall')]
    let opened = 0
    const microphone = kitchen.speaker.driver.questionMicrophone!
    const listen = microphone.listen.bind(microphone)
    microphone.listen = (options) => {
      opened += 1
      return listen(options)
    }
    hall.speaker.questionMicrophone = microphone
    const { outcome, say } = ask([kitchen, hall])
    await seconds(questionSeconds + 0.1)
    expect(opened).toBe(1)
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })
})

describe('a question whose speaker cannot play', () => {
  /** A kitchen that cannot play, and a hall that plays in its place. */
  const createKitchenAndHall = () => {
    const [kitchen, hall] = [createPlace('kitchen'), createPlace('hall')]
    kitchen.speaker.failure = new SpeakerError('SPEAKER_NOT_REACHABLE', 'the kitchen is off')
    kitchen.speaker.instead = () => [hall.speaker]
    return { kitchen, hall }
  }

  it('is answered where another speaker says it, also while that one does', async () => {
    const { kitchen, hall } = createKitchenAndHall()
    const { say, outcome } = ask([kitchen])
    await seconds(1)
    expect([kitchen.isOpen(), hall.isOpen()]).toEqual([false, true])
    await seconds(questionSeconds)
    expect([kitchen.isOpen(), hall.isOpen()]).toEqual([false, true])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('is answered with the buttons of the speaker that says it', async () => {
    const { kitchen, hall } = createKitchenAndHall()
    const { shown, press } = addDisplay(hall.speaker)
    const { outcome } = ask([kitchen])
    await seconds(1)
    press(1)
    await seconds(0.1)
    expect(outcome()).toEqual({ answer: no, by: 'button' })
    expect(shown.at(-1)).toBeUndefined()
  })

  it('is answered by its own microphone if the other speaker has none', async () => {
    const { kitchen, hall } = createKitchenAndHall()
    delete hall.speaker.driver.questionMicrophone
    ask([kitchen])
    await seconds(questionSeconds + 1)
    expect(kitchen.isOpen()).toBe(true)
  })
})

describe('a question on a machine, whose microphone hears its speaker', () => {
  const question = speech(8)
  /** What the microphone hears of it, quarter of a second late. */
  const echo = (() => {
    const late = Buffer.alloc(question.length)
    for (let at = 0; at < question.length - 8000; at += 2) {
      late.writeInt16LE(Math.round(0.3 * question.readInt16LE(at)), at + 8000)
    }
    return late
  })()
  const powerOf = (pcm: Buffer) => {
    let sum = 0
    for (let at = 0; at + 2 <= pcm.length; at += 2) sum += pcm.readInt16LE(at) ** 2
    return sum / (pcm.length / 2)
  }

  it('is not answered by its own sound, which is removed from what is recognised', async () => {
    const desk = createPlace('desk', { cancelsEcho: false })
    const { heard, begin, end, outcome } = ask([desk], {}, { sound: soundOf(format, question) })
    await seconds(0)
    await hear([desk, echo.subarray(0, 5 * 32_000)])
    await begin(3500)
    await hear([desk, echo.subarray(5 * 32_000, 6 * 32_000)])
    await end('no')
    expect(outcome()).toBeUndefined()
    const last = heard().subarray(-32_000)
    const recorded = echo.subarray(5 * 32_000, 6 * 32_000)
    expect(powerOf(last)).toBeLessThan(powerOf(recorded) / 10)
  })

  it('is answered by a voice while it is said', async () => {
    const desk = createPlace('desk', { cancelsEcho: false })
    const { begin, end, outcome, texts } = ask([desk], {}, { sound: soundOf(format, question) })
    await seconds(0)
    await hear([desk, echo.subarray(0, 4 * 32_000)])
    const both = Buffer.from(echo.subarray(4 * 32_000, 6 * 32_000))
    const voice = speech(3)
    for (let at = 0; at < both.length; at += 2) {
      const sample = voice.readInt16LE(voice.length - 2 - at)
      both.writeInt16LE(both.readInt16LE(at) + Math.round(0.3 * sample), at)
    }
    await begin(4000)
    await hear([desk, both])
    await end('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
    expect(texts()).toEqual([`${questionText}...`])
  })

  it('is heard only afterwards if its sound is not made of samples', async () => {
    const desk = createPlace('desk', { cancelsEcho: false })
    const mp3 = { audioEncoding: 'MP3', sampleRateHertz: 24_000 } as const
    desk.speaker.driver.prepare = async () => mp3
    const sound = createSound(mp3)
    const { say, outcome } = ask([desk], {}, { sound })
    sound.append(Buffer.alloc(100))
    await seconds(2)
    expect(desk.isOpen()).toBe(false)
    sound.complete()
    await seconds(1)
    expect(desk.isOpen()).toBe(true)
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })
})
