/** The rate of all voices of Flite that the service offers. */
export const sampleRateHertz = 16_000
