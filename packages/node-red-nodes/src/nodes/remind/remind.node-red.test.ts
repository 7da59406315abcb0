import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type CaughtMessage,
  surroundingNodes,
} from '@parlando/test-support/node-red/flows/flow-harness'
import { type LoadedFlow, type Message, useNodeRed } from '@parlando/test-support/node-red/runtime'
import { beforeEach, describe, expect, it, vi } from 'vitest'

const { load, unload, userFolder } = useNodeRed()
const file = join(userFolder, 'parlando/reminders.json')
beforeEach(() => rmSync(join(userFolder, 'parlando'), { recursive: true, force: true }))

function loadNode(settings: object = {}) {
  const node = { z: 'tab', id: 'node', type: 'parlando-remind', language: 'en-US', ...settings }
  return load([
    { ...node, timeZone: 'Europe/Berlin', wires: [['out'], ['answers']] },
    ...surroundingNodes('node'),
    { z: 'tab', id: 'answers', type: 'helper' },
  ])
}

/** Sends a command. @returns the sentence with which the node answers. */
async function say(flow: LoadedFlow, message: Message): Promise<Message> {
  const before = flow.received('answers').length
  flow.node('node').receive(message)
  return (await flow.waitFor('answers', before + 1)).at(-1)!
}

async function rejected(flow: LoadedFlow, message: Message): Promise<CaughtMessage> {
  const before = flow.received('caught').length
  flow.node('node').receive(message)
  return (await flow.waitFor('caught', before + 1)).at(-1) as CaughtMessage
}

const saved = () => JSON.parse(readFileSync(file, 'utf8'))

describe('a reminder', () => {
  it('leaves at the first output when it is due, with the properties of the message that set it', async () => {
    const flow = await loadNode()
    const answer = await say(flow, { payload: 'in one second the egg', topic: 'kitchen' })
    expect(answer).toMatchObject({
      topic: 'kitchen',
      payload: 'The egg: 1 second.',
      reminder: { event: 'set', name: 'the egg', repeats: false },
    })
    const [due] = await flow.waitFor('out', 1)
    expect(due).toMatchObject({
      topic: 'kitchen',
      payload: 'the egg',
      reminder: { event: 'due', name: 'the egg', leftSeconds: 0 },
    })
    expect(flow.received('out')).toHaveLength(1)
    expect(flow.received('completed')).toHaveLength(1)
    await unload()
    expect(saved()).toEqual([])
  })

  it('leaves with the properties of the message that set it, also after a flow has changed them', async () => {
    const flow = await loadNode()
    await say(flow, { remind: { when: 'in one second', half: true }, room: { volume: 10 } })
    const [half] = await flow.waitFor('out', 1)
    Object.assign(half!.room as object, { volume: 20 })
    const [, due] = await flow.waitFor('out', 2)
    expect(due).toMatchObject({ room: { volume: 10 } })
  })

  it('without a name says how long the timer was', async () => {
    const flow = await loadNode()
    expect(await say(flow, { payload: 'one second' })).toMatchObject({
      payload: 'Timer: 1 second.',
    })
    const [due] = await flow.waitFor('out', 1)
    expect(due).toMatchObject({ payload: 'The timer has ended: 1 second.' })
  })

  it('also says half of its time, if the form or the command wants it', async () => {
    await say(await loadNode({ half: true }), { payload: 'in one hour' })
    const events = (messages: Message[]) =>
      messages.map(({ reminder }) => (reminder as { event: string }).event)
    /** Lets time pass while Node-RED is not running. */
    const reloadLater = async (minutes: number) => {
      await unload()
      const [reminder] = saved()
      const passedMs = minutes * 60_000
      const { setMs, dueMs } = reminder
      const earlier = { ...reminder, setMs: setMs - passedMs, dueMs: dueMs - passedMs }
      writeFileSync(file, JSON.stringify([earlier]))
      return loadNode({ half: true })
    }
    const late = await reloadLater(31)
    expect(events(await late.waitFor('out', 1))).toEqual(['half'])
    const later = await reloadLater(29)
    expect(events(await later.waitFor('out', 1))).toEqual(['due'])
  })

  it.each([
    ['in twenty minutes', 'in ten minutes', true],
    ['in twenty minutes', 'tomorrow at seven', false],
    ['in twenty minutes', 'every day at seven', false],
    ['tomorrow at seven', 'in ten minutes', true],
  ])(
    'that is changed says half of its time as a new one does: %s, then %s',
    async (first, then, half) => {
      const flow = await loadNode({ half: true })
      await say(flow, { remind: { when: first, name: 'tea' } })
      await say(flow, { remind: { command: 'change', when: then } })
      await unload()
      expect(saved()[0].half ?? false).toBe(half)
    },
  )

  it.each([true, false])('that is changed keeps the wish of its command: half %s', async (half) => {
    const flow = await loadNode({ half: true })
    await say(flow, { remind: { when: 'in twenty minutes', half } })
    await say(flow, { remind: { command: 'change', when: 'tomorrow at seven' } })
    await say(flow, { remind: { command: 'change', when: 'in three days' } })
    await unload()
    expect(saved()[0].half ?? false).toBe(half)
  })

  it('that has said half of its time says it again when it was changed', async () => {
    await say(await loadNode({ half: true }), { payload: 'in one hour' })
    await unload()
    const [{ half: _said, ...reminder }] = saved()
    writeFileSync(file, JSON.stringify([reminder]))
    await say(await loadNode({ half: true }), { remind: { command: 'change', when: 'two hours' } })
    await unload()
    expect(saved()).toMatchObject([{ half: true }])
  })

  it('is kept over a deploy, and is said late, with a word about it, when Node-RED was not running', async () => {
    await say(await loadNode(), { payload: 'in ten minutes tea', topic: 'kitchen' })
    await unload()
    const reminders = saved()
    expect(reminders).toMatchObject([
      { name: 'tea', nodeId: 'node', message: { topic: 'kitchen' } },
    ])
    const hour = 60 * 60_000
    const missed = reminders.map((reminder: { dueMs: number }) => ({
      ...reminder,
      dueMs: reminder.dueMs - hour,
    }))
    writeFileSync(file, JSON.stringify(missed))
    const flow = await loadNode()
    const [late] = await flow.waitFor('out', 1)
    expect(late).toMatchObject({
      topic: 'kitchen',
      payload: expect.stringMatching(/^Tea\. This reminder is late, it was due .*\d:\d\d/),
      reminder: { event: 'late', lateSeconds: expect.any(Number) },
    })
  })
})

describe('the commands', () => {
  it('list, change and cancel reminders by their names, as texts', async () => {
    const flow = await loadNode()
    await say(flow, { payload: 'set a tea timer for twenty minutes' })
    await say(flow, { payload: 'remind me in two hours of the cake' })
    expect(flow.statuses('node').at(-1)).toMatchObject({
      fill: 'green',
      text: expect.stringMatching(/^remind.status.next-of|^next: /),
    })
    expect(await say(flow, { payload: 'how long is left?' })).toMatchObject({
      payload: 'Tea: 20 minutes left. The cake: 2 hours left.',
      reminder: { event: 'listed' },
      reminders: [{ name: 'tea' }, { name: 'the cake' }],
    })
    expect(await say(flow, { payload: 'change the tea to 5 minutes' })).toMatchObject({
      payload: 'Tea: 5 minutes.',
      reminder: { event: 'changed', name: 'tea' },
    })
    expect(await say(flow, { payload: 'cancel' })).toMatchObject({
      payload: expect.stringContaining('Which one?'),
      reminder: { event: 'unclear' },
    })
    expect(await say(flow, { payload: 'cancel the soup' })).toMatchObject({
      payload: expect.stringContaining('There is no timer or reminder with this name'),
    })
    expect(await say(flow, { payload: 'cancel the tea timer' })).toMatchObject({
      payload: 'Cancelled: tea.',
      reminder: { event: 'cancelled' },
    })
    expect(await say(flow, { payload: 'cancel all timers' })).toMatchObject({
      reminders: [{ name: 'the cake' }],
    })
    expect(await say(flow, { payload: 'list' })).toMatchObject({
      payload: 'No timer and no reminder is set.',
      reminders: [],
    })
    expect(flow.statuses('node').at(-1)).toEqual({})
  })

  it('are objects in msg.remind, too', async () => {
    const flow = await loadNode()
    const dueMs = Date.now() + 3_600_000
    await say(flow, { remind: { when: new Date(dueMs), name: 'cake', half: true } })
    await say(flow, { remind: { when: 'every weekday at six' } })
    const { reminders } = await say(flow, { remind: { command: 'list', name: 'cake' } })
    expect(reminders).toMatchObject([{ name: 'cake', due: new Date(dueMs).toISOString() }])
    const postponed = await say(flow, { remind: { command: 'change', name: 'cake', by: '1 hour' } })
    const dueLater = new Date(dueMs + 3_600_000).toISOString()
    expect(postponed).toMatchObject({ reminder: { event: 'changed', due: dueLater } })
    await say(flow, { remind: { command: 'change', name: 'cake', when: 'in 10 minutes' } })
    const atSix = { command: 'cancel', name: "six o'clock alarm" }
    expect(await say(flow, { remind: atSix })).toMatchObject({ reminder: { event: 'cancelled' } })
    await say(flow, { remind: { command: 'cancel', all: true } })
    expect(await say(flow, { remind: { command: 'list' } })).toMatchObject({ reminders: [] })
  })

  it('change the time of a reminder that repeats, and leave it its days', async () => {
    const flow = await loadNode()
    await say(flow, { remind: { when: 'every day at seven', name: 'alarm' } })
    const change = { command: 'change', name: 'alarm', when: 'at eight' }
    expect(await say(flow, { remind: change })).toMatchObject({
      payload: 'Alarm: every day, 8:00 AM.',
      reminder: { event: 'changed', repeats: true },
    })
  })

  it('are read in the language of the form or of the message, and in English', async () => {
    const flow = await loadNode({ language: 'de' })
    const sentence = async (message: Message) => (await say(flow, message)).payload
    expect(await sentence({ payload: 'in zehn Minuten Tee' })).toBe('Tee: 10 Minuten.')
    expect(await sentence({ payload: 'in ten minutes egg' })).toBe('Egg: 10 Minuten.')
    expect(await sentence({ payload: 'dans dix minutes', language: 'fr' })).toBe(
      'Minuteur : 10 minutes.',
    )
    expect(await sentence({ payload: 'lösche den Tee' })).toBe('Gelöscht: Tee.')
  })

  it('msg.stop cancels everything', async () => {
    const flow = await loadNode()
    await say(flow, { payload: 'in ten minutes' })
    flow.node('node').receive({ stop: true })
    await vi.waitFor(() => expect(flow.statuses('node').at(-1)).toEqual({}))
    expect(flow.received('answers')).toHaveLength(1)
  })
})

describe('what is not understood', () => {
  it.each([
    [{ payload: 'the bins' }, 'not-understood'],
    [{ payload: 'yesterday' }, 'not-understood'],
    [{ payload: '' }, 'not-text'],
    [{ payload: { a: 1 } }, 'not-text'],
    [{ payload: `in ten minutes ${'x'.repeat(300)}` }, 'too-long'],
    [{ remind: 5 }, 'not-command'],
    [{ remind: { command: 'explode' } }, 'not-known'],
    [{ remind: { when: 'soon' } }, 'not-understood'],
    [{ remind: { when: 'in ten minutes', name: 5 } }, 'not-name'],
  ])('goes to Catch with what to say: %j', async (message, key) => {
    const flow = await loadNode()
    const { error } = await rejected(flow, message)
    expect(error).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining(key) })
    expect(flow.statuses('node').at(-1)).toMatchObject({ fill: 'red', shape: 'ring' })
  })

  it('is a time zone that does not exist', async () => {
    const flow = await load([
      { z: 'tab', id: 'node', type: 'parlando-remind', timeZone: 'Mars', wires: [['out'], []] },
      ...surroundingNodes('node'),
    ])
    expect((await rejected(flow, { payload: 'in ten minutes' })).error.message).toContain(
      'not-time-zone',
    )
  })

  it('is more than 200 reminders', async () => {
    const flow = await loadNode()
    for (let count = 0; count < 200; count++) await say(flow, { payload: 'in ten minutes' })
    const { error } = await rejected(flow, { payload: 'in ten minutes' })
    expect(error).toMatchObject({ code: 'OUT_OF_RANGE' })
  })
})
