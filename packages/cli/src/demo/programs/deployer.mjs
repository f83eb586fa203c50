export default function deployer({ environment }) {
  console.log(`deploying to ${environment}`);
  return { deployed_to: environment };
}
