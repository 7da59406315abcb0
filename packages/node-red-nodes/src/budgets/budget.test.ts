import { EventEmitter, once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRedisCounters } from '@parlando/store'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { startRedis } from '@parlando/test-support/programs/redis'
import type { NodeAPI } from 'node-red'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Budget, type BudgetSettings, readLimits } from './budget.ts'
import { BudgetCounts, type BudgetCountsOptions } from './budget-counts.ts'
import { BudgetFile } from './budget-file.ts'

const RED = {
  _: (key: string, values: object) => `${key} ${JSON.stringify(values)}`,
} as unknown as NodeAPI

// At midnight, the count of a day begins again.
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-27T12:00:00'), toFake: ['Date'] })
})
afterEach(() => void vi.useRealTimers())

function createFile() {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-budget-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'budgets.json')
}

function open(path: string, settings: BudgetSettings, options: Partial<BudgetCountsOptions> = {}) {
  const onNotice = vi.fn()
  const onError = vi.fn()
  const counts = new BudgetCounts({
    file: new BudgetFile(path, onError),
    serviceId: 'service',
    sharedName: 'https://speech.example',
    shared: Promise.resolve(undefined),
    ...options,
  })
  const budget = new Budget(RED, { limits: readLimits(settings), counts, onNotice })
  // The file is written later than a change; without this, that would be after its folder is removed.
  onTestFinished(() => budget.close())
  const speak = (characters: number, isAlarm = false) => {
    const spending = budget.begin({ characters, requests: 1 }, isAlarm)
    spending.count({ characters, seconds: characters / 10, requests: 1 })
    spending.end()
  }
  return { budget, speak, onNotice, onError }
}

const spent = expect.objectContaining({ code: 'BUDGET_SPENT' })

describe('a budget', () => {
  it.each([
    [{ charactersPerDay: '100' }],
    [{ secondsPerMonth: 10 }],
    [{ requestsPerDay: 4 }],
    [{ requestsPerMonth: 4, charactersPerDay: 1000 }],
  ])('of %j is spent after four texts of 25 characters, except for alarms', (settings) => {
    const { speak, budget } = open(createFile(), settings)
    for (const _ of [1, 2, 3, 4]) speak(25)
    expect(budget.share).toBe(1)
    expect(() => speak(25)).toThrow(spent)
    speak(25, true)
    expect(budget.share).toBeGreaterThan(1)
  })

  it('is not exceeded by texts at the same time, nor by a text that is too long for the rest', () => {
    const { budget, speak } = open(createFile(), { charactersPerDay: 100 })
    const spending = budget.begin({ characters: 60, requests: 1 }, false)
    expect(() => speak(60)).toThrow(spent)
    // The service counted this much.
    spending.count({ characters: 30, seconds: 3, requests: 1 })
    expect(() => speak(60)).toThrow(spent)
    spending.end()
    speak(60)
    expect(budget.states).toMatchObject([{ used: 90, max: 100 }])
    expect(() => speak(11)).toThrow(spent)
  })

  it('does not count a request that brought no audio', () => {
    const { budget } = open(createFile(), { charactersPerDay: 100 })
    budget.begin({ characters: 60, requests: 1 }, false).end()
    expect(budget.states).toMatchObject([{ used: 0 }])
  })

  it('reserves what several requests need, and counts each of them once', () => {
    const settings = { charactersPerDay: 100, requestsPerDay: 4 }
    const { budget, speak } = open(createFile(), settings)
    for (const needs of [
      { characters: 101, requests: 2 },
      { characters: 90, requests: 5 },
    ]) {
      expect(() => budget.begin(needs, false)).toThrow(spent)
    }
    const spending = budget.begin({ characters: 90, requests: 3 }, false)
    for (const characters of [40, 30]) spending.count({ characters, requests: 1 })
    expect(() => speak(20)).toThrow(spent)
    expect(budget.states).toMatchObject([{ used: 90 }, { used: 3 }])
    spending.end()
    expect(budget.states).toMatchObject([{ used: 70 }, { used: 2 }])
    // A request that the service accepts although nobody waits for it any more.
    spending.count({ characters: 20, requests: 1 })
    expect(budget.states).toMatchObject([{ used: 90 }, { used: 3 }])
  })

  it('sends one notice at 80 % and one at 100 % in a day', () => {
    const { speak, onNotice } = open(createFile(), {
      charactersPerDay: 100,
      charactersPerMonth: 1e6,
    })
    for (const characters of [79, 1, 5, 5, 10]) speak(characters)
    for (const _ of [1, 2]) expect(() => speak(1)).toThrow(spent)
    expect(onNotice.mock.calls.flat()).toEqual([
      expect.stringMatching(/^service.budget.nearly-spent .*"used":80,"max":100/),
      expect.stringMatching(/^service.budget.spent .*"used":100,"max":100/),
    ])
    vi.setSystemTime(new Date('2026-11-28T00:00:01'))
    speak(100)
    expect(onNotice).toHaveBeenCalledTimes(3)
  })

  it('rejects a text that is too long for the rest without a notice, which is sent when all is spent', () => {
    const { speak, onNotice } = open(createFile(), { charactersPerDay: 1000 })
    speak(100)
    const tooLong = /^service.budget.insufficient .*"used":100,"max":1000,"needed":950/
    expect(() => speak(950)).toThrow(tooLong)
    expect(onNotice).not.toHaveBeenCalled()
    speak(900)
    const allSpent = /^service.budget.spent .*"used":1000,"max":1000/
    expect(() => speak(1)).toThrow(allSpent)
    expect(onNotice.mock.calls).toEqual([[expect.stringMatching(allSpent)]])
  })

  it('sends no notice for what texts in progress have only reserved', () => {
    const { budget, speak, onNotice } = open(createFile(), { charactersPerDay: 1000 })
    const long = budget.begin({ characters: 1000, requests: 2 }, false)
    const tooMuch = /^service.budget.insufficient .*"used":1000,"max":1000,"needed":10/
    expect(() => speak(10)).toThrow(tooMuch)
    long.count({ characters: 100, requests: 1 })
    // Its second part fails.
    long.end()
    expect(onNotice).not.toHaveBeenCalled()
    speak(900)
    expect(onNotice.mock.calls).toEqual([
      [expect.stringMatching(/^service.budget.spent .*"used":1000,"max":1000/)],
    ])
  })

  it('reports the limit that is spent before the one for which a shorter text would do', () => {
    const { speak } = open(createFile(), { charactersPerDay: 1000, requestsPerDay: 1 })
    speak(100)
    expect(() => speak(950)).toThrow(/^service.budget.spent .*"service.budget.requests /)
  })

  it('begins again with each day and each month', () => {
    vi.setSystemTime(new Date('2026-11-30T23:59:59'))
    const settings = { charactersPerDay: 100, charactersPerMonth: 150 }
    const { speak, budget } = open(createFile(), settings)
    speak(100)
    vi.setSystemTime(new Date('2026-12-01T00:00:01'))
    speak(100)
    vi.setSystemTime(new Date('2026-12-02T00:00:01'))
    expect(() => speak(100)).toThrow(spent)
    speak(50)
    expect(budget.states).toMatchObject([{ used: 50 }, { used: 150 }])
  })

  it('is known after a restart, with its notices and what kept sound has spared', async () => {
    const path = createFile()
    const before = open(path, { charactersPerDay: 100 })
    before.speak(85)
    before.budget.noteSpared(40, 4)
    await before.budget.close()
    const after = open(path, { charactersPerDay: 100 })
    expect(after.budget.states).toMatchObject([{ used: 85, spared: 40 }])
    after.speak(5)
    expect(after.onNotice).not.toHaveBeenCalled()
    expect(readFileSync(path, 'utf8')).not.toMatch(/https?:/)
  })

  it.each(['not JSON', '[]', '{"service":5}', '{"service":{"day":{"name":"x"}}}', 'null'])(
    'begins again with a file that contains %s',
    (content) => {
      const path = createFile()
      writeFileSync(path, content)
      const { speak, budget } = open(path, { charactersPerDay: 100 })
      speak(10)
      expect(budget.states).toMatchObject([{ used: 10 }])
    },
  )

  it.each([
    [{ characters: '50', seconds: -5 }, 0],
    [{ characters: null, seconds: 3 }, 0],
    [{ characters: 50, seconds: 'many' }, 50],
    ['many', 0],
  ])('counts only the numbers of a file with the amounts %j', (amounts, used) => {
    const path = createFile()
    const day = { name: '2026-11-27', amounts, noticed: 5 }
    writeFileSync(path, JSON.stringify({ service: { day } }))
    const { speak, budget } = open(path, { charactersPerDay: 100 })
    speak(10)
    expect(budget.states).toMatchObject([{ used: used + 10 }])
  })

  it('works without a disk, and says so', async () => {
    const { speak, budget, onError } = open('/dev/null/budgets.json', { charactersPerDay: 100 })
    speak(10)
    await budget.close()
    expect(onError).toHaveBeenCalled()
    expect(budget.states).toMatchObject([{ used: 10 }])
  })

  it.each([{}, { charactersPerDay: '' }, { charactersPerDay: 'many' }, { requestsPerDay: 0 }])(
    'has no limit with the settings %j',
    (settings) => expect(readLimits(settings as BudgetSettings)).toEqual([]),
  )
})

it('a shared budget counts what is spent during an exchange, also right before its end', async () => {
  const sums: Record<string, Record<string, number>> = {}
  let isAway = false
  const events = new EventEmitter()
  const asked = once(events, 'asked')
  const answered = once(events, 'answered')
  const shared = {
    async add(name: string, amounts: Readonly<Record<string, number>>) {
      events.emit('asked')
      await answered
      if (isAway) return undefined
      sums[name] ??= {}
      const own = sums[name]
      for (const [what, amount] of Object.entries(amounts)) own[what] = (own[what] ?? 0) + amount
      return { ...own }
    },
    close: async () => {},
  }
  const path = createFile()
  const openShared = () =>
    open(path, { charactersPerDay: 1000 }, { shared: Promise.resolve(shared) })
  const before = openShared()
  await asked
  before.speak(100)
  const closed = before.budget.close()
  events.emit('answered')
  await closed
  expect(sums['https://speech.example:2026-11-27']).toMatchObject({ characters: 100 })
  const after = openShared()
  await after.budget.close()
  expect(after.budget.states).toMatchObject([{ used: 100 }])
  isAway = true
  after.speak(50)
  await after.budget.close()
  expect(after.budget.states).toMatchObject([{ used: 150 }])
})

describe('a budget in Redis', needs('redis-server'), () => {
  it('keeps in Redis what was spent while there was none', async () => {
    const file = createFile()
    const alone = open(file, { charactersPerDay: 1000 })
    alone.speak(400)
    await alone.budget.close()
    const server = await startRedis()
    onTestFinished(() => server.close())
    const openShared = (path: string) => {
      const shared = openRedisCounters({ url: server.url })
      return open(path, { charactersPerDay: 1000 }, { shared })
    }
    const [one, other] = [openShared(file), openShared(createFile())]
    onTestFinished(async () => {
      await Promise.all([one.budget.close(), other.budget.close()])
    })
    one.speak(10)
    // The sum of Redis has arrived everywhere.
    await vi.waitFor(() => {
      for (const each of [one, other]) each.budget.noteSpared(0, 0)
      expect(other.budget.states[0]!.used).toBe(10)
    }, 20_000)
    expect(one.budget.states[0]!.used).toBe(410)
  })

  it('is shared by several Node-REDs, and catches up after Redis was away', async () => {
    const server = await startRedis()
    onTestFinished(() => server.close())
    const openShared = () => {
      const shared = openRedisCounters({ url: server.url })
      return open(createFile(), { charactersPerDay: 1000 }, { shared })
    }
    const [one, other] = [openShared(), openShared()]
    onTestFinished(async () => {
      await Promise.all([one.budget.close(), other.budget.close()])
    })
    const used = ({ budget }: typeof one) => budget.states[0]!.used
    one.speak(100)
    // Each request exchanges the counts; one of no characters only does that.
    await vi.waitFor(() => {
      for (const each of [one, other]) each.budget.noteSpared(0, 0)
      expect([used(one), used(other)]).toEqual([100, 100])
    }, 20_000)
    server.pause()
    other.speak(50)
    server.resume()
    await vi.waitFor(() => {
      for (const each of [one, other]) each.budget.noteSpared(0, 0)
      expect([used(one), used(other)]).toEqual([150, 150])
    }, 20_000)
  })
})
