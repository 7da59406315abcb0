import { setOf } from './spell-out/word.ts'

/** What a speaker does. */
const sounds = setOf(`
  laugh laughs laughing laughter giggle giggles giggling chuckle chuckles chuckling sigh sighs sighing
  breath breathe breathes breathing inhale inhales inhaling exhale exhales exhaling cough coughs coughing
  sneeze sneezes sneezing sniff sniffs sniffing sniffle sniffles sniffling yawn yawns yawning gasp gasps gasping
  groan groans groaning moan moans moaning cry cries crying sob sobs sobbing hum hums humming sing sings singing
  whisper whispers whispered whispering shout shouts shouted shouting scream screams screamed screaming
  yell yells yelled yelling pause pauses
`)
/** They are directions only with a manner: "[speaking slowly]", but "[speaking clock]". */
const speaking = setOf(
  'say says saying speak speaks speaking talk talks talking read reads reading',
)
/** After a sound, or a form of speaking. Another word makes a name of them: "[cough syrup]". */
const manners = setOf(`
  a again aloud an and around as at but faster harder in it less like little long louder more out please quieter slower
  softer that the then this to very with
`)
/** Other words that end as "softly" does. */
const noManners = setOf('daily early family monthly only reply supply weekly')

const moods = setOf(`
  afraid angry angrily calm cheerful disgusted excited fast fearful happy happily loud louder quick quicker quickly
  quiet quieter sad scared serious slow slower soft softer surprised tender warm warmer
`)
/** After a mood. Another word makes a name of both: "[warm water]", "[quiet hours]". */
const afterMoods = setOf('and but manner now please then tone voice')

/**
 * Whether the words in brackets say how to speak, or what to do: "[laugh]", "[say it softly, please]". Other words are text:
 * "[ALERT]", "[front door]", "[reading lamp]".
 */
export function isDirection(words: string): boolean {
  const [first = '', second = '', ...others] = words.split(/[\s,]+/).filter((word) => word !== '')
  if (sounds.has(first)) return second === '' || isManner(second)
  if (speaking.has(first)) return isManner(second)
  if (isMood(first)) return second === '' || isMood(second) || afterMoods.has(second)
  if (/^clear(?:s|ing)?$/.test(first)) return [second, ...others].includes('throat')
  if (first === 'in') return /^an?$/.test(second) && namesManner(others)
  return first === 'with' && namesManner([second, ...others])
}

function isManner(word: string): boolean {
  return manners.has(word) || isMood(word) || (/ly$/.test(word) && !noManners.has(word))
}

function isMood(word: string): boolean {
  return moods.has(word) || (/ly$/.test(word) && moods.has(word.slice(0, -2)))
}

/** "a deep voice", "a warm tone of an old man" */
function namesManner(words: readonly string[]): boolean {
  return words.some((word) => /^(?:voice|tone|manner)$/.test(word))
}
