import { pulsePrograms } from '@parlando/test-support/audio/pulse'
import { describeDriver } from '../../test-suites/driver-test-suite.ts'
import { createCaseOf } from './dlna.test-case.ts'

describeDriver('the renderer rygel', [...pulsePrograms, 'rygel'], () => createCaseOf('rygel'))
