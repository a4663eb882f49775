import { expect, test } from 'vitest'
import { told } from '../../../../../cli/commands/edge/told.ts'

test('a platform that is away is told of once, and that it is back; again when it is away again', () => {
  const said: string[] = []
  const log = told((line) => said.push(line))
  log.answered()
  for (let i = 0; i < 3; i++) log.report('away', 'refused')
  log.answered()
  log.answered()
  log.report('away', 'refused')
  expect(said).toEqual(['away: refused', 'the platform answers again', 'away: refused'])
})

test('a disk that stays full while the platform answers is told of once, until a list was read', () => {
  const said: string[] = []
  const log = told((line) => said.push(line))
  for (let i = 0; i < 3; i++) {
    log.answered()
    log.report('failed', 'the disk is full')
  }
  log.report('read', '5 items at the sequence 9')
  log.report('failed', 'the disk is full')
  expect(said).toEqual(['failed: the disk is full', '5 items at the sequence 9', 'failed: the disk is full'])
})
