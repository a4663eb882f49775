import { expect, test } from 'vitest'
import { deploymentOf } from '../../../../../cli/wiring/open/open-history.ts'

test('migrations go to the database of the URL, on one node unless a cluster is named', () => {
  expect(deploymentOf({ clickhouseUrl: 'http://ch:8123', clickhouseCluster: null })).toEqual({
    mode: 'single',
    database: 'harrier',
  })
  expect(deploymentOf({ clickhouseUrl: 'http://ch:8123/?database=other', clickhouseCluster: 'main' })).toEqual({
    mode: 'cluster',
    cluster: 'main',
    database: 'other',
  })
})
