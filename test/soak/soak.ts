import { setTimeout } from 'node:timers/promises'
import { type AudioStats, count } from './account.ts'
import type { Held } from './channel.ts'
import { type Counts, clearAway, doSomething, warmUp } from './deeds.ts'
import { type Ending, type House, openHouse } from './house.ts'
import { createLedger, type Ledger } from './ledger.ts'
import type { Sample } from './memory.ts'
import { createRandom, type Random } from './random.ts'
import { troubles } from './troubles.ts'

export interface SoakOptions {
  minutes: number
  seed: number
  /** Hears once a minute how it goes. */
  say(line: string): void
}

/** All that a soak found out. */
export interface Outcome {
  minutes: number
  seed: number
  deeds: Counts
  troubles: Counts
  audioStats: AudioStats
  /** Of the processes that live as long as the soak. */
  samples: Record<string, Sample[]>
  /** When all is quiet and nothing is kept any more, by process. */
  heldAtEnd: Record<string, Held | undefined>
  ending: Ending
}

const meanPauseMs = 200
const meanPeaceMs = 4_000
const samplePauseMs = 5_000
// Longer than any request is tried.
const quietLimitMs = 100_000
// Client and service keep idle connections for four and five seconds.
const keepAliveMs = 8_000
/** The hosted service and that of this device begin anew in the middle. */
export const watched = ['node-red', 'steady']

export async function soak(options: SoakOptions): Promise<Outcome> {
  const ledger = createLedger()
  const house = await openHouse(ledger.note)
  try {
    const { minutes, seed } = options
    const life = await liveThrough(house, ledger, options)
    const heldAtEnd = await comeToRest(house, ledger)
    const ending = await house.close()
    return { minutes, seed, ...life, heldAtEnd, ending, audioStats: ledger.close() }
  } catch (error) {
    await house.close()
    throw error
  }
}

/** All that happens in the house, at the same time. */
async function liveThrough(house: House, ledger: Ledger, { minutes, seed, say }: SoakOptions) {
  await warmUp(house)
  await quiet(ledger)
  const deeds: Counts = {}
  const befallen: Counts = {}
  const samples: Outcome['samples'] = Object.fromEntries(watched.map((role) => [role, []]))
  const startedAt = performance.now()
  const minute = () => (performance.now() - startedAt) / 60_000
  const isOver = () => minute() >= minutes
  let nextToSay = 1

  const sample = async () => {
    for (const role of watched) {
      const held = await house.channel.held(role)
      if (held) samples[role]!.push({ minute: minute(), held })
    }
    if (minute() < nextToSay) return
    const { utterances, open } = ledger
    say(`minute ${nextToSay} of ${minutes}: ${utterances} utterances, ${open} messages open`)
    nextToSay += 1
  }

  await Promise.all([
    live(house, createRandom(seed), deeds, isOver),
    suffer(house, createRandom(seed + 1), befallen, isOver),
    repeat(sample, samplePauseMs, isOver),
  ])
  return { deeds, troubles: befallen, samples }
}

/** @returns what is still held when all has been done and tidied. */
async function comeToRest(house: House, ledger: Ledger): Promise<Outcome['heldAtEnd']> {
  await quiet(ledger)
  await clearAway(house)
  await quiet(ledger)
  await setTimeout(keepAliveMs)
  const held: Outcome['heldAtEnd'] = {}
  for (const role of [...watched, 'hosted', 'device']) held[role] = await house.channel.held(role)
  return held
}

/** Does one thing after the other without waiting for its end. */
async function live(house: House, random: Random, counts: Counts, isOver: () => boolean) {
  const begun = new Set<Promise<void>>()
  while (!isOver()) {
    const deed = doSomething(house, random, counts).finally(() => begun.delete(deed))
    begun.add(deed)
    await setTimeout(random.waitMs(meanPauseMs))
  }
  await Promise.all(begun)
}

/** Has every trouble befall the house, in an order that changes from round to round. */
async function suffer(house: House, random: Random, counts: Counts, isOver: () => boolean) {
  while (!isOver()) {
    for (const name of random.shuffle(Object.keys(troubles))) {
      await setTimeout(random.waitMs(meanPeaceMs))
      if (isOver()) return
      await troubles[name]!(house, random)
      count(counts, name)
    }
  }
}

async function repeat(act: () => Promise<void>, pauseMs: number, isOver: () => boolean) {
  while (!isOver()) {
    await act()
    await setTimeout(pauseMs)
  }
}

/** Waits until every message is done, or will never be. */
async function quiet(ledger: Ledger): Promise<void> {
  const untilMs = performance.now() + quietLimitMs
  while (ledger.open > 0 && performance.now() < untilMs) await setTimeout(100)
}
