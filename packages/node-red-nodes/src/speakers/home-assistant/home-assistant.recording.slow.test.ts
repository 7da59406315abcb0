import { pulsePrograms } from '@parlando/test-support/audio/pulse'
import { describeDevice } from '../device-test-suite.ts'
import { describeDriver } from '../driver-test-suite.ts'
import { createStandInCase } from './home-assistant.test-case.ts'

const programs = [...pulsePrograms, 'mpg123'] as const
const announces = () => createStandInCase('announces')

describeDriver('a media player that announces', programs, announces)
describeDevice('a media player that announces', programs, announces)
describeDriver('a satellite', programs, () => createStandInCase('satellite'))
