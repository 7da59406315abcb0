import type { RecogniserCase } from '../recogniser-case.ts'

const startCase: RecogniserCase = async () => ({})

export default startCase
