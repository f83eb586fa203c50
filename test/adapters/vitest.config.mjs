// For `npm run test:adapters`, with the folder of one framework as its root.
export default { test: { include: ["*.test.ts"], testTimeout: 180_000, hookTimeout: 180_000 } };
