import { suiteDatabase } from '../../builders/accounts/database/suites.ts'
import { lifecycleContract } from './suite.ts'

// A reconciliation looks at everything: other tests have no place beside it.
const { name, open } = suiteDatabase(12, 'own')

lifecycleContract(name, open)
