import type { Query } from '../../port.ts'
import { inOrder } from './columns-in-order.ts'
import { IN_FOLDS, isInViews, MARK } from './entities-queries.ts'

/** A cidr entity as one audience may know it; times as unix milliseconds. */
export type NetworkRow = {
  value: string
  reputation: number
  accuracy: number
  wellKnown: boolean
  tags: string[]
  lastSeen: number
  /** Says nothing but when a match saw the network: a part of a fold (ADR 219). */
  metAlone: boolean
}

/** The same rows as columns, in one row: half the time of an object for each. */
export type NetworkColumns = {
  value: string[]
  reputation: number[]
  accuracy: number[]
  marks: number[]
  tags: string[][]
  last: string[]
}

const columns = (where: string): string => `SELECT ${inOrder('value')} AS value, ${inOrder('reputation')} AS reputation,
    ${inOrder('accuracy')} AS accuracy, ${inOrder('well_known')} AS marks, ${inOrder('tags')} AS tags,
    ${inOrder('toUnixTimestamp64Milli(last_seen)')} AS last
  FROM (SELECT value, reputation, accuracy, well_known, tags, last_seen FROM networks FINAL
    WHERE audience IN {audiences:Array(UInt64)} AND ${IN_FOLDS} ${where}
    ORDER BY start, bits LIMIT {limit:UInt32})`

/** Every cidr entity in the audiences of one reader, a row for each audience, at most `limit`. */
export const networksOf = (audiences: readonly bigint[], limit: number): Query => ({
  sql: columns(''),
  params: { audiences, limit },
})

/**
 * The networks that an address of the parameter `ips` may be in. Every address is cut to every length that the reader has a network
 * of, and looked up: the cost is addresses times lengths, whatever the number of networks. Addresses in normal form.
 */
const AROUND = `AND (bits, start) GLOBAL IN (
      SELECT bits, IPv6CIDRToRange(address, bits).1 FROM (SELECT arrayJoin({ips:Array(IPv6)}) AS address) AS addresses
      CROSS JOIN (SELECT DISTINCT bits FROM networks WHERE audience IN {audiences:Array(UInt64)}) AS lengths)`

/** Those of them that an address of these may be in. */
export const networksAround = (ips: readonly string[], audiences: readonly bigint[], limit: number): Query => ({
  sql: columns(AROUND),
  params: { ips, audiences, limit },
})

/** Values alone of the cidr entities of these audiences that an address of these may be in. */
export const networksOver = (ips: readonly string[], audiences: readonly bigint[]): Query => ({
  sql: `SELECT DISTINCT value FROM networks WHERE audience IN {audiences:Array(UInt64)} ${AROUND}`,
  params: { ips, audiences },
})

/** The rows of an answer in columns. */
export const networkRows = ({ value, reputation, accuracy, marks, tags, last }: NetworkColumns): NetworkRow[] =>
  value.map((text, i) => ({
    value: text,
    reputation: reputation[i]!,
    accuracy: accuracy[i]!,
    wellKnown: (marks[i]! & MARK.own) !== 0,
    tags: tags[i]!,
    lastSeen: Number(last[i]),
    metAlone: !isInViews({ well_known: marks[i]! }),
  }))
