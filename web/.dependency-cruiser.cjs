/** Imports go one way: app > features > entities > ui, api. The rules are patterns, so they cover new features automatically. */
const production = { pathNot: '\\.test\\.tsx?$|^src/testing/' };

module.exports = {
  forbidden: [
    {
      name: 'ui-knows-nothing-above-it',
      severity: 'error',
      from: { path: '^src/ui/', ...production },
      to: { path: '^src/(api|entities|features|app|testing)/' },
    },
    {
      name: 'api-knows-nothing-above-it',
      severity: 'error',
      from: { path: '^src/api/', ...production },
      to: { path: '^src/(ui|entities|features|app|testing)/' },
    },
    {
      name: 'an-entity-knows-nothing-above-it',
      severity: 'error',
      from: { path: '^src/entities/', ...production },
      to: { path: '^src/(features|app|testing)/' },
    },
    {
      name: 'a-feature-never-imports-another-feature',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'a-feature-never-imports-the-app',
      severity: 'error',
      from: { path: '^src/features/', ...production },
      to: { path: '^src/(app|testing)/' },
    },
    {
      name: 'the-app-never-imports-test-code',
      severity: 'error',
      from: { path: '^src/app/', ...production },
      to: { path: '^src/testing/|\\.test\\.tsx?$' },
    },
    {
      name: 'every-source-file-lives-in-a-known-room',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/(?!app/|features/|entities/|ui/|api/|testing/)' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-broken-imports', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.css', '.svg', '.d.ts'],
    },
  },
};
