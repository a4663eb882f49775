import { instant } from '../../../feeds-out/formats/text/instant.ts'
import type { StixFacts, StixItem, StixVersion } from '../item.ts'
import { labelsOf } from './extension.ts'
import { markedFor } from './marking.ts'

/** By accuracy 0 to 3 (decisions 15.3). */
const CONFIDENCE = [0, 15, 50, 85] as const

/** How sure STIX is told to be of a score of this accuracy, 0 to 100. */
const confidenceOf = (accuracy: number): number => CONFIDENCE[accuracy] ?? 0

/** The members of an object that say which version of it this is. `created`: unix milliseconds. */
export function versionOf(created: number, { modified, revoked }: StixVersion): string {
  const [first, last] = [instant(created), instant(Math.max(created, modified))]
  return `"created":"${first}","modified":"${last}"${revoked ? ',"revoked":true' : ''}`
}

/** The members of an object that say how sure it is, what it is tagged with, and who may read it. */
export const rightsOf = ({ isPublic }: StixFacts, { accuracy, tags }: StixItem): string =>
  `,"confidence":${confidenceOf(accuracy)}${labelsOf(tags)}${markedFor(isPublic)}`
