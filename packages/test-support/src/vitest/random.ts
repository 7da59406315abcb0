/** Numbers of 0…1 that are the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed % 2_147_483_647
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}
