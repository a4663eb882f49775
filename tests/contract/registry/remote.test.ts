import { describe, expect, test } from 'vitest'
import { registryContract } from './suite.ts'

const { SCHEMA_REGISTRY_URL } = process.env

if (SCHEMA_REGISTRY_URL) registryContract(SCHEMA_REGISTRY_URL, async () => SCHEMA_REGISTRY_URL.replace(/\/+$/, ''))
else
  describe('remote registry', () => {
    test.skip('SCHEMA_REGISTRY_URL names a registry that speaks the Confluent protocol', () => {
      expect(SCHEMA_REGISTRY_URL).toBeDefined()
    })
  })
