import { seconds, textsOn, useFakeClock } from '@parlando/test-support/speakers/use-announcer'
import { describe, expect, it } from 'vitest'
import {
  addDisplay,
  ask,
  createPlace,
  createService,
  hear,
  questionSeconds,
  questionText,
  speech,
} from './asked-question.test-case.ts'

useFakeClock()

const no = expect.objectContaining({ name: 'no', value: false })

describe('a question', () => {
  it('can be answered while it is said, and then stops at once', async () => {
    const kitchen = createPlace('kitchen')
    const { say, outcome, texts } = ask([kitchen])
    await seconds(1)
    expect(kitchen.isOpen()).toBe(true)
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no, by: 'voice' })
    expect(texts()).toEqual([`${questionText}...`])
    expect(kitchen.isOpen()).toBe(false)
  })

  it('is not answered by its own words while it is said, and is afterwards', async () => {
    const own = { text: 'Shall I say yes or no?' }
    const { begin, end, say, outcome } = ask([createPlace('kitchen')], own)
    await seconds(1)
    await say('no')
    expect(outcome()).toBeUndefined()
    // It ends after the question.
    await begin()
    await seconds(questionSeconds)
    await end('no')
    expect(outcome()).toBeUndefined()
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('does not listen to an alarm that interrupts it, and is said again afterwards', async () => {
    const kitchen = createPlace('kitchen')
    const { interrupt, say, outcome, texts } = ask([kitchen])
    await seconds(1)
    expect(kitchen.isOpen()).toBe(true)
    interrupt()
    await seconds(1)
    expect(texts()).toEqual([`${questionText}...`, 'No! Water in the cellar!...'])
    expect(kitchen.isOpen()).toBe(false)
    await seconds(2)
    expect(texts().at(-1)).toBe(`${questionText}...`)
    expect(kitchen.isOpen()).toBe(true)
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no, by: 'voice' })
  })

  it('is repeated once if nobody answers', async () => {
    const { outcome, texts, progress } = ask([createPlace('kitchen')])
    await seconds(questionSeconds + 7.9)
    expect(texts()).toEqual([questionText])
    await seconds(questionSeconds + 8)
    expect(outcome()).toBeUndefined()
    await seconds(0.3)
    expect(outcome()).toEqual({})
    expect(texts()).toEqual([questionText, questionText])
    expect(progress).toEqual(['asking', 'listening', 'asking', 'listening'])
  })

  it('is repeated once, three seconds later, if what was said is no answer', async () => {
    const { say, outcome, texts } = ask([createPlace('kitchen')])
    await seconds(questionSeconds + 1)
    await say('well', null)
    await seconds(3.1)
    expect(texts()).toEqual([questionText, `${questionText}...`])
    await seconds(questionSeconds)
    await say('perhaps', null)
    await seconds(3.1)
    expect(outcome()).toMatchObject({ turn: { transcript: 'perhaps' } })
    expect(outcome()!.answer).toBeUndefined()
  })

  it('remembers what was said to it first if nobody speaks the second time', async () => {
    const { say, outcome } = ask([createPlace('kitchen')])
    await seconds(questionSeconds + 1)
    await say('well', null)
    await seconds(3 + questionSeconds + 8.3)
    expect(outcome()).toMatchObject({ turn: { transcript: 'well' } })
  })

  it('waits longer than its time limit for the end of an answer that has begun', async () => {
    const { begin, end, outcome } = ask([createPlace('kitchen')])
    await seconds(questionSeconds + 7)
    await begin()
    await seconds(5)
    expect(outcome()).toBeUndefined()
    await end('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('waits as long as usual after a noise while it is said', async () => {
    const { say, texts } = ask([createPlace('kitchen')], { waitMs: 2000 })
    await seconds(0.5)
    await say('', null)
    await seconds(questionSeconds + 1)
    expect(texts()).toEqual([questionText])
    await seconds(1)
    expect(texts()).toHaveLength(2)
  })

  it('is silent at once when it is stopped', async () => {
    const kitchen = createPlace('kitchen')
    const { asked, stop, texts } = ask([kitchen])
    const stopped = expect(asked).rejects.toThrow('stopped')
    await seconds(1)
    stop()
    await seconds(0.1)
    await stopped
    expect(texts()).toEqual([`${questionText}...`])
    expect(kitchen.isOpen()).toBe(false)
  })

  it.each([
    ['waits for an answer', async () => {}],
    ['hears one', ({ begin }: Pick<ReturnType<typeof ask>, 'begin'>) => begin()],
  ])('ends at once when it is stopped while it %s', async (_what, act) => {
    const kitchen = createPlace('kitchen')
    const asked = ask([kitchen])
    await seconds(questionSeconds + 1)
    await act(asked)
    const stopped = expect(asked.asked).rejects.toThrow('stopped')
    asked.stop()
    await seconds(0)
    expect(kitchen.isOpen()).toBe(false)
    await stopped
  })

  it('is said when the service has started, which can hear the answer then', async () => {
    const service = createService()
    const start = service.holdUp()
    const { texts, say, outcome } = ask([createPlace('kitchen')], {}, { service })
    await seconds(60)
    expect(texts()).toEqual([])
    start()
    await seconds(questionSeconds + 1)
    expect(texts()).toEqual([questionText])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('is said where it can be answered with buttons if the service cannot start', async () => {
    const kitchen = createPlace('kitchen')
    const { press } = addDisplay(kitchen.speaker)
    const service = createService()
    const away = new Error('no memory')
    service.fail(away)
    const { failures, texts, outcome } = ask([kitchen], {}, { service })
    await seconds(questionSeconds + 1)
    expect(failures).toEqual([away])
    expect(texts()).toEqual([questionText])
    press(1)
    await seconds(0.1)
    expect(outcome()).toEqual({ answer: no, by: 'button' })
  })

  it('is not said where nobody can answer', async () => {
    const kitchen = createPlace('kitchen')
    delete kitchen.speaker.driver.questionMicrophone
    const { asked, texts } = ask([kitchen])
    await expect(asked).rejects.toMatchObject({ code: 'NO_MICROPHONE' })
    expect(texts()).toEqual([])
  })

  it('is answered on the page that replaces its own while it is said', async () => {
    const [kitchen, replaced] = [createPlace('kitchen'), createPlace('kitchen')]
    const [before, after] = [addDisplay(kitchen.speaker), addDisplay(replaced.speaker)]
    const places = [kitchen]
    const { outcome } = ask(places)
    await seconds(1)
    places[0] = replaced
    await seconds(questionSeconds)
    expect(before.shown.at(-1)).toBeUndefined()
    after.press(1)
    await seconds(0.1)
    expect(outcome()).toEqual({ answer: no, by: 'button' })
  })

  it('is heard by the microphone that replaces its own while it is said', async () => {
    const [kitchen, replaced] = [createPlace('kitchen'), createPlace('kitchen')]
    const places = [kitchen]
    const { deployed } = ask(places)
    await seconds(1)
    places[0] = replaced
    deployed()
    await seconds(questionSeconds)
    expect([kitchen.isOpen(), replaced.isOpen()]).toEqual([false, true])
  })

  it('is heard by the microphone that replaces its own while it waits for an answer', async () => {
    const [kitchen, replaced] = [createPlace('kitchen'), createPlace('kitchen')]
    const places = [kitchen]
    const { deployed, heard } = ask(places)
    await seconds(questionSeconds + 1)
    places[0] = replaced
    deployed()
    await seconds(0.1)
    expect([kitchen.isOpen(), replaced.isOpen()]).toEqual([false, true])
    const answer = speech(1)
    await hear([replaced, answer])
    expect(heard().subarray(-answer.length).equals(answer)).toBe(true)
  })

  it('keeps its microphone, and its time, if a deploy removes its speaker', async () => {
    const kitchen = createPlace('kitchen')
    const places = [kitchen]
    const { deployed, say, outcome } = ask(places)
    await seconds(questionSeconds + 1)
    places.length = 0
    deployed()
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('is said to its end if the microphone fails meanwhile, and listens again afterwards', async () => {
    const kitchen = createPlace('kitchen')
    kitchen.breakMicrophone(new Error('busy'))
    const { say, outcome, texts } = ask([kitchen])
    await seconds(1)
    kitchen.breakMicrophone()
    await seconds(questionSeconds)
    expect(texts()).toEqual([questionText])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('fails with the error of its only microphone', async () => {
    const kitchen = createPlace('kitchen')
    kitchen.breakMicrophone(new Error('unplugged'))
    const { asked } = ask([kitchen])
    const failed = expect(asked).rejects.toThrow('unplugged')
    await seconds(questionSeconds + 0.1)
    await failed
  })

  it('is not answered by what was heard while it was said, also if that is reported afterwards', async () => {
    const kitchen = createPlace('kitchen')
    const { begin, end, outcome } = ask([kitchen], { answers: { names: ['text'], buttons: [] } })
    await seconds(0)
    await hear([kitchen, speech(1)])
    await seconds(questionSeconds)
    await begin(500)
    await end('washing machine')
    expect(outcome()).toBeUndefined()
    await begin(1000)
    await end('tomorrow')
    expect(outcome()).toMatchObject({ answer: { value: 'tomorrow' } })
  })

  it('shows what it has not understood, and its answer when it is over', async () => {
    const kitchen = createPlace('kitchen')
    const { shown, heard } = addDisplay(kitchen.speaker)
    const { say } = ask([kitchen])
    await seconds(questionSeconds + 1)
    await say('maybe', null)
    expect(shown.at(-1)).toMatchObject({ text: questionText, heard: 'maybe' })
    await say('no')
    await seconds(0.1)
    expect([shown.at(-1), heard]).toEqual([undefined, [{ text: 'no', isUnderstood: true }]])
  })
})

describe('a question that is asked until somebody answers', () => {
  const important = { everyMs: 60_000 }

  it('is said again and again, until then', async () => {
    const { say, outcome, texts, progress } = ask([createPlace('kitchen')], important)
    await seconds(59)
    expect(texts()).toEqual([questionText])
    expect(progress.at(-1)).toBe('waiting')
    await seconds(2 * 60 + 6)
    expect(texts()).toEqual([questionText, questionText, questionText, questionText])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
    await seconds(120)
    expect(texts()).toHaveLength(4)
  })

  it('can be answered by a button in between', async () => {
    const kitchen = createPlace('kitchen')
    const { press, shown } = addDisplay(kitchen.speaker)
    const { outcome } = ask([kitchen], important)
    await seconds(30)
    expect(shown.at(-1)).toMatchObject({ text: questionText, buttons: ['yes', 'no'] })
    press(1)
    await seconds(0.1)
    expect(outcome()).toEqual({ answer: no, by: 'button' })
    expect(shown.at(-1)).toBeUndefined()
  })

  it('can be stopped in between', async () => {
    const { asked, stop } = ask([createPlace('kitchen')], important)
    const stopped = expect(asked).rejects.toThrow('stopped')
    await seconds(30)
    stop()
    await stopped
  })

  it('goes on after a failure, of which it reports the first', async () => {
    const kitchen = createPlace('kitchen')
    kitchen.speaker.failure = new Error('the page is closed')
    const { say, outcome, failures, texts } = ask([kitchen], important)
    await seconds(130)
    expect(failures).toEqual([kitchen.speaker.failure])
    kitchen.speaker.failure = undefined
    await seconds(50 + questionSeconds + 1)
    expect(texts()).toEqual([questionText])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('goes on after a deploy of its speaker, which is no failure', async () => {
    const [kitchen, replaced] = [createPlace('kitchen'), createPlace('kitchen')]
    const places = [kitchen]
    const { say, outcome, failures, texts, deployed } = ask(places, important)
    await seconds(1)
    kitchen.speaker.isClosed = true
    await kitchen.speaker.driver.close()
    await seconds(5)
    places[0] = replaced
    deployed()
    await seconds(questionSeconds + 1)
    expect([texts(), textsOn(replaced.speaker)]).toEqual([[`${questionText}...`], [questionText]])
    expect([kitchen.isOpen(), replaced.isOpen()]).toEqual([false, true])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
    expect(failures).toEqual([])
  })

  it('is answered on the page that replaces its own between two times', async () => {
    const [kitchen, replaced] = [createPlace('kitchen'), createPlace('kitchen')]
    const [before, after] = [addDisplay(kitchen.speaker), addDisplay(replaced.speaker)]
    const places = [kitchen]
    const { outcome } = ask(places, important)
    await seconds(30)
    places[0] = replaced
    await seconds(30 + questionSeconds + 1)
    expect([kitchen.isOpen(), replaced.isOpen()]).toEqual([false, true])
    expect(before.shown.at(-1)).toBeUndefined()
    expect(after.shown).toMatchObject([{ text: questionText, buttons: ['yes', 'no'] }])
    after.press(1)
    await seconds(0.1)
    expect(outcome()).toEqual({ answer: no, by: 'button' })
    expect(after.shown.at(-1)).toBeUndefined()
  })

  it('goes on when the service cannot start, until it can', async () => {
    const service = createService()
    const away = new Error('no memory')
    service.fail(away)
    const places = [createPlace('kitchen')]
    const { say, outcome, failures, texts } = ask(places, important, { service })
    await seconds(90)
    expect(failures).toEqual([away])
    expect(texts()).toEqual([])
    service.recover()
    await seconds(30 + questionSeconds + 1)
    expect(texts()).toEqual([questionText])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })

  it('is heard again after the service has crashed', async () => {
    const service = createService()
    const places = [createPlace('kitchen')]
    const { say, outcome, failures } = ask(places, important, { service })
    await seconds(questionSeconds + 1)
    const crash = new Error('the process has ended')
    service.fail(crash)
    service.recover()
    await seconds(60)
    expect(failures).toEqual([crash])
    await say('no')
    await seconds(0.1)
    expect(outcome()).toMatchObject({ answer: no })
  })
})
