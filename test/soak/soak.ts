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
  /** Receives a progress line once a minute. */
  say(line: string): void
}

/** The results of a soak test. */
export interface Outcome {
  minutes: number
  seed: number
  deeds: Counts
  troubles: Counts
  audioStats: AudioStats
  /** Of the processes that run during the whole test. */
  samples: Record<string, Sample[]>
  /** After the load and the keep-alive time, by process. */
  heldAtEnd: Record<string, Held | undefined>
  ending: Ending
}

const meanPauseMs = 200
const meanPeaceMs = 4_000
const samplePauseMs = 5_000
// Longer than any request with its retries.
const quietLimitMs = 100_000
// Client and service keep idle connections for four and five seconds.
const keepAliveMs = 8_000
/** The hosted service and the one of this device restart during the test. */
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

/** The whole load, in parallel. */
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

/** @returns the resources that remain after the load and the clean-up. */
async function comeToRest(house: House, ledger: Ledger): Promise<Outcome['heldAtEnd']> {
  await quiet(ledger)
  await clearAway(house)
  await quiet(ledger)
  await setTimeout(keepAliveMs)
  const held: Outcome['heldAtEnd'] = {}
  for (const role of [...watched, 'hosted', 'device']) held[role] = await house.channel.held(role)
  return held
}

/** Sends one request after the other without waiting for the results. */
async function live(house: House, random: Random, counts: Counts, isOver: () => boolean) {
  const begun = new Set<Promise<void>>()
  while (!isOver()) {
    const deed = doSomething(house, random, counts).finally(() => begun.delete(deed))
    begun.add(deed)
    await setTimeout(random.waitMs(meanPauseMs))
  }
  await Promise.all(begun)
}

/** Causes every failure in rounds, each in a different order. */
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

/** Waits until every message is done or a time limit passes. */
async function quiet(ledger: Ledger): Promise<void> {
  const untilMs = performance.now() + quietLimitMs
  while (ledger.open > 0 && performance.now() < untilMs) await setTimeout(100)
}
