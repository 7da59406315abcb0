import { setTimeout } from 'node:timers/promises'
import type { Sample } from './checks/memory.ts'
import { faultsFor } from './load/faults.ts'
import { openPages } from './load/household-page.ts'
import { createRandom, type Random } from './load/random.ts'
import {
  type Counts,
  deleteClonedVoices,
  runRandomAction,
  stopTalking,
  warmUp,
} from './load/run-actions.ts'
import { count, type MessageStats } from './messages/message-stats.ts'
import { MessageTracker } from './messages/message-tracker.ts'
import type { ResourceUsage } from './programs/channel.ts'
import { type Ending, type System, startSystem } from './programs/system.ts'

export interface SoakOptions {
  minutes: number
  seed: number
  /** Receives a progress line every minute. */
  log(line: string): void
}

/** The results of a soak. */
export interface Outcome {
  minutes: number
  seed: number
  /** Whether two services shared a store, which needs Redis on this machine. */
  hasStore: boolean
  actions: Counts
  faults: Counts
  messages: MessageStats
  /** Of the processes that run during the whole soak. */
  samples: Record<string, Sample[]>
  /** Of the same processes, at rest after the warm-up. */
  usageAtStart: Record<string, ResourceUsage | undefined>
  /** By process, at rest and after all clones are deleted. */
  usageAtEnd: Record<string, ResourceUsage | undefined>
  ending: Ending
}

const meanPauseMs = 200
const meanFaultPauseMs = 4_000
const samplePauseMs = 5_000
// Longer than all attempts of a request.
const quietLimitMs = 100_000
// The client keeps idle connections for four seconds, the service for five.
const keepAliveMs = 8_000
/** The processes that run during the whole soak. The test restarts the other services. */
export const watched = ['node-red', 'steady']

export async function soak(options: SoakOptions): Promise<Outcome> {
  const tracker = new MessageTracker()
  const system = await startSystem((event) => tracker.note(event))
  try {
    const { minutes, seed, log } = options
    const hasStore = system.store !== undefined
    if (!hasStore) log('The services share no store, because redis-server is not installed.')
    const life = await runWithPages(system, tracker, options)
    const ending = await system.close()
    return { minutes, seed, hasStore, ...life, ending, messages: tracker.close() }
  } catch (error) {
    await system.close()
    throw error
  }
}

/** Runs the load while somebody has the pages of the speakers open, and waits until everything is done. */
async function runWithPages(system: System, tracker: MessageTracker, options: SoakOptions) {
  const actions: Counts = {}
  const pages = await openPages(system, createRandom(options.seed + 2), actions)
  try {
    const life = await runLoad(system, tracker, actions, options)
    return { ...life, actions, usageAtEnd: await settleDown(system, tracker) }
  } finally {
    await pages.close()
  }
}

/** Runs actions, faults and measurements at the same time. */
async function runLoad(
  system: System,
  tracker: MessageTracker,
  actions: Counts,
  { minutes, seed, log }: SoakOptions,
) {
  await warmUp(system)
  await quiet(tracker)
  await setTimeout(keepAliveMs)
  const usageAtStart = await usageOf(system, watched)
  const faultCounts: Counts = {}
  const samples: Outcome['samples'] = Object.fromEntries(watched.map((role) => [role, []]))
  const startedAt = performance.now()
  const minute = () => (performance.now() - startedAt) / 60_000
  const isOver = () => minute() >= minutes
  let nextToSay = 1

  const sample = async () => {
    for (const role of watched) {
      const usage = await system.channel.usage(role)
      if (usage) samples[role]!.push({ minute: minute(), usage })
    }
    if (minute() < nextToSay) return
    const { utterances, open } = tracker
    log(`minute ${nextToSay} of ${minutes}: ${utterances} utterances, ${open} messages open`)
    nextToSay += 1
  }

  await Promise.all([
    runActions(system, createRandom(seed), actions, isOver),
    injectFaults(system, createRandom(seed + 1), faultCounts, isOver),
    repeat(sample, samplePauseMs, isOver),
  ])
  return { faults: faultCounts, samples, usageAtStart }
}

/** @returns the resources in use after all messages are done and all clones are deleted. */
async function settleDown(system: System, tracker: MessageTracker): Promise<Outcome['usageAtEnd']> {
  await stopTalking(system)
  await quiet(tracker)
  await deleteClonedVoices(system)
  await quiet(tracker)
  await setTimeout(keepAliveMs)
  return usageOf(system, [...watched, 'hosted', 'device'])
}

async function usageOf(system: System, roles: readonly string[]): Promise<Outcome['usageAtEnd']> {
  const usage: Outcome['usageAtEnd'] = {}
  for (const role of roles) usage[role] = await system.channel.usage(role)
  return usage
}

/** Starts one action after another without waiting for its end. */
async function runActions(system: System, random: Random, counts: Counts, isOver: () => boolean) {
  const running = new Set<Promise<void>>()
  while (!isOver()) {
    const action = runRandomAction(system, random, counts).finally(() => running.delete(action))
    running.add(action)
    await setTimeout(random.waitMs(meanPauseMs))
  }
  await Promise.all(running)
}

/** Causes every fault once per round, each round in a different order. */
async function injectFaults(system: System, random: Random, counts: Counts, isOver: () => boolean) {
  const faults = faultsFor(system.store !== undefined)
  while (!isOver()) {
    for (const name of random.shuffle(Object.keys(faults))) {
      await setTimeout(random.waitMs(meanFaultPauseMs))
      if (isOver()) return
      await faults[name]!(system, random)
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

/** Waits until every message is done, with a time limit. */
async function quiet(tracker: MessageTracker): Promise<void> {
  const untilMs = performance.now() + quietLimitMs
  while (tracker.open > 0 && performance.now() < untilMs) await setTimeout(100)
}
