import { pulsePrograms } from '@parlando/test-support/audio/pulse'
import { startRealGo2rtc } from '@parlando/test-support/players/programs/go2rtc'
import { describe } from 'vitest'
import { createCaseOf } from '../../packages/node-red-nodes/src/speakers/kinds/go2rtc/go2rtc.test-case.ts'
import { describeDevice } from '../../packages/node-red-nodes/src/speakers/test-suites/device-test-suite.ts'
import { describeDriver } from '../../packages/node-red-nodes/src/speakers/test-suites/driver-test-suite.ts'

/** No registry has it: https://github.com/AlexxIT/go2rtc/releases, or `go build` in its sources. */
const program = process.env['PARLANDO_GO2RTC']

const programs = [...pulsePrograms, 'ffmpeg'] as const
const create = () => createCaseOf((environment) => startRealGo2rtc(environment, program!))

const missing = program ? [] : ['the program go2rtc, in PARLANDO_GO2RTC']

describe('a real go2rtc', { skip: !program, meta: { missing } }, () => {
  describeDriver('with a camera', programs, create)
  describeDevice('with a camera', programs, create)
})
