import { setTimeout } from 'node:timers/promises'
import { createClient } from '@parlando/core'
import { holdTurn } from './hold-turn.js'
import { silenceMs, startUser } from './user.js'

const pauseMs = 400
/** The user interrupts when this much of a response was played. */
const heardBeforeMs = 600
/** The response to a shorter turn may end before the interruption. */
const minInterruptedMs = 3000

/** One user, who lets each response end. @returns the times of each turn. */
export async function measureTurns(baseUrl, turns) {
  return converse(baseUrl, async (user) => {
    const measured = []
    // The first turn starts the recogniser's process.
    for (const turn of [turns[0], ...turns]) measured.push(await holdWholeTurn(user, turn))
    return measured.slice(1).filter((turn) => turn !== undefined)
  })
}

/** One user, who begins the next turn during each response. @returns the times until the speaker is silent. */
export async function measureInterruptions(baseUrl, turns) {
  const long = turns.find(({ startMs, endMs }) => endMs - startMs > minInterruptedMs)
  return converse(baseUrl, async (user) => {
    await holdWholeTurn(user, long)
    const timesMs = []
    for (const turn of turns) {
      await holdTurn(user, long)
      await setTimeout(heardBeforeMs)
      const paused = user.next('paused')
      const responded = user.next('response.created')
      const { startedAt } = await user.speak(turn)
      timesMs.push((await paused).at - startedAt)
      await responded
      await user.next('response.done')
      await user.heard()
    }
    return timesMs
  })
}

/**
 * Several users, each with a connection and turns of their own, divided among the services.
 * @returns the times of each turn, and the longest gaps.
 */
export async function measureParallel(baseUrls, turns, { sessions, turnsPerSession }) {
  const holdSession = async (number) => {
    await setTimeout((number * 3000) / sessions)
    return converse(baseUrls[number % baseUrls.length], async (user) => {
      const measured = []
      for (let turn = 0; turn < turnsPerSession; turn++) {
        const spoken = turns[(number * turnsPerSession + turn) % turns.length]
        measured.push(await holdWholeTurn(user, spoken))
      }
      return { measured, gapMs: user.longestGapMs() }
    })
  }
  const numbers = Array.from({ length: sessions }, (_, number) => number)
  const results = await Promise.all(numbers.map(holdSession))
  return {
    totalMs: results.flatMap(({ measured }) => measured.flatMap((turn) => turn?.totalMs ?? [])),
    gapMs: results.map(({ gapMs }) => gapMs),
  }
}

/** Opens sessions until the service rejects one. @returns their number, and the error. */
export async function findLimit(baseUrl) {
  const client = createClient({ baseUrl, maxRetries: 0, maxConcurrent: 1000 })
  const open = []
  try {
    for (;;) {
      const events = client.realtime({})[Symbol.asyncIterator]()
      open.push(events)
      await events.next()
    }
  } catch (error) {
    return { sessions: open.length - 1, error }
  } finally {
    await client.close()
  }
}

/**
 * One user who makes pauses, with different settings for the end of a turn, each turn in a session of its own.
 * @param detections the settings by their names.
 * @returns how often the service did not wait for the end of a turn, and for the other turns the times from the last sample of
 * speech to the first of the response.
 */
export async function measurePauses(baseUrl, turns, detections) {
  const rows = Object.keys(detections).map((name) => ({ name, interrupted: 0, responseMs: [] }))
  for (const turn of turns) {
    for (const row of rows) {
      const detection = detections[row.name]
      const measured = await converse(baseUrl, (user) => holdTurn(user, turn), detection)
      if (measured) row.responseMs.push(measured.totalMs + silenceMs)
      else row.interrupted++
    }
  }
  return rows
}

async function converse(baseUrl, measure, detection) {
  const client = createClient({ baseUrl })
  const user = startUser(client, detection)
  try {
    return await measure(user)
  } finally {
    await user.close()
    await client.close()
  }
}

async function holdWholeTurn(user, turn) {
  const done = user.next('response.done')
  const measured = await holdTurn(user, turn)
  await done
  await user.heard()
  await setTimeout(pauseMs)
  return measured
}
