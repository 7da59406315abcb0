import type { RecogniserCase } from '../recogniser-test-case.ts'

const startCase: RecogniserCase = async () => ({})

export default startCase
