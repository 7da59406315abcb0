import { createHash } from 'node:crypto'

/** @returns what is wrong with the files of an entry, at every address. */
export async function checkEntry(entry, { onlySizes }) {
  const files = entry.sources.flatMap((source) => source.files ?? [source.archive])
  const problems = []
  for (const file of files) {
    for (const url of file.urls) {
      const problem = await checkFile(url, file, onlySizes)
      if (problem) problems.push(`${url} ${problem}`)
    }
  }
  return problems
}

async function checkFile(url, { bytes, sha256 }, onlySizes) {
  try {
    const headers = { 'accept-encoding': 'identity' }
    const response = await fetch(url, { method: onlySizes ? 'HEAD' : 'GET', headers })
    if (!response.ok) return `responds with ${response.status}`
    const found = onlySizes
      ? { size: Number(response.headers.get('content-length')), sha256 }
      : await measure(response)
    if (found.size !== bytes) return `has ${found.size} bytes instead of ${bytes}`
    return sha256 && found.sha256 !== sha256 ? `has the SHA-256 ${found.sha256}` : undefined
  } catch (error) {
    return `cannot be reached: ${error.cause?.message ?? error.message}`
  }
}

async function measure(response) {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of response.body) {
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}
