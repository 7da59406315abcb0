import { writeFileSync } from 'node:fs'
import { needs } from '@parlando/test-support/programs/installed-programs'
import { beforeAll, describe, expect, it } from 'vitest'
import { checks } from './checks/checks.ts'
import { reportOf } from './checks/report.ts'
import { type Outcome, soak } from './soak.ts'

const { PARLANDO_SOAK_MINUTES = '2', PARLANDO_SOAK_SEED, PARLANDO_SOAK_REPORT } = process.env
const minutes = Number(PARLANDO_SOAK_MINUTES)
const seed = Number(PARLANDO_SOAK_SEED ?? Date.now() % 1_000_000)
// For the start, the settling and the shutdown, also on a machine that is busy with other things.
const otherMinutes = 20

describe(`a soak of ${minutes} minutes, seed ${seed}`, needs('mpd', 'mpc'), () => {
  let outcome: Outcome
  beforeAll(
    async () => {
      outcome = await soak({ minutes, seed, log: console.log })
      const report = reportOf(outcome)
      console.log(report)
      if (PARLANDO_SOAK_REPORT) writeFileSync(PARLANDO_SOAK_REPORT, report)
    },
    (minutes + otherMinutes) * 60_000,
  )
  it.each(checks.map((check) => [check.statement, check] as const))('%s', (_says, { problems }) => {
    expect(problems(outcome)).toEqual([])
  })
})
