import { expect, test } from "vitest";
import { programEffects } from "../testing/program-effects.ts";

const DESTROYING = [
  "docker system prune -af --volumes",
  "docker volume rm x",
  "docker compose -f a.yml down -v",
  "docker-compose down --volumes",
  "docker rm -f …",
  "docker image prune -a",
  "podman system reset",
  "docker swarm leave --force",
  "kubectl delete namespace x",
  "kubectl -n --help delete pods --all",
  "kubectl delete pods --all --v=6",
  "kubectl delete pods x --dry-run=none",
  "kubectl scale --replicas=0 deploy/x",
  "kubectl scale deploy/x --replicas 0",
  "kubectl drain node1",
  "helm uninstall x",
  "helm -n x delete y --version 1",
  "aws ec2 terminate-instances --instance-ids i-1",
  "aws --profile prod s3 rb s3://x --force",
  "aws s3 rm s3://x --recursive",
  "aws s3 sync a.b s3://x --delete",
  "aws rds delete-db-instance --db-instance-identifier x",
  "gcloud --quiet projects delete x",
  "gcloud run services delete x",
  "az group delete --name x --yes",
  "gsutil -m rm -r gs://x",
  "bq rm -f x",
  "heroku apps:destroy -a x",
  "fly apps destroy x",
  "vault secrets disable x",
  "etcdctl del --prefix /",
  "kafka-topics.sh --bootstrap-server h --delete --topic x",
  "rabbitmqctl -p v purge_queue x",
  "restic -r x forget --prune --keep-last 1",
  "borg delete repo::x",
  "velero backup delete x",
  "terraform destroy -auto-approve",
  "terraform -chdir=x apply -destroy",
  "tofu state rm x",
  "pulumi destroy --yes",
  "cdk destroy",
  "gh repo delete o/r --yes",
  "gh release delete v1",
  "gh api -X DELETE /repos/o/r",
  "virsh undefine x",
  "dropdb x",
  "psql -c 'DROP TABLE users'",
  "psql -U x -d y -c 'truncate users;'",
  "psql -c 'DELETE FROM users'",
  "mysql -uroot -psecret -e 'drop database x'",
  "sqlite3 a.db 'DELETE FROM users;'",
  "redis-cli -h x FLUSHALL",
  "redis-cli del …",
  "mongosh --eval 'db.dropDatabase()'",
  "mongosh x --eval 'db.a.deleteMany({})'",
  "pg_restore --clean -d x dump",
  "mysqladmin -u root drop x",
  "npx prisma migrate reset --force",
  "rails db:drop",
  "flyway -x=y clean",
];

test.each(DESTROYING)("%s destroys", (command) => {
  expect(programEffects(command).some((effect) => effect.startsWith("destroy_remote"))).toBe(true);
});

const HARMLESS = [
  "docker ps -a",
  "docker rm -f web",
  "docker compose down",
  "docker volume ls",
  "docker image prune -f",
  "kubectl get pods",
  "kubectl delete pod x --dry-run=client",
  "kubectl delete --help",
  "kubectl scale --replicas=3 deploy/x",
  "kubectl get secrets",
  "helm uninstall x --dry-run",
  "helm upgrade x y --version 2",
  "aws ec2 describe-instances",
  "aws lambda invoke --function-name delete-user out.json",
  "aws ec2 terminate-instances --dry-run --instance-ids i-1",
  "gcloud compute instances create delete-me",
  "gcloud projects list",
  "az group list",
  "terraform plan -destroy",
  "terraform destroy -help",
  "terraform apply -auto-approve",
  "restic -r x forget -n --keep-last 1",
  "gh pr view 1",
  "psql -c 'SELECT 1'",
  `psql -c "SELECT 'DROP TABLE x'"`,
  "psql -c 'DELETE FROM users WHERE id = 3'",
  "sqlite3 a.db 'SELECT * FROM truncated'",
  "redis-cli get x",
  "mysqladmin status",
  "rake clean",
  "rails db:migrate",
];

test.each(HARMLESS)("%s does nothing", (command) => {
  expect(programEffects(command)).toEqual([]);
});

test.each([
  ["pass show x", ["read.store", "prints secret"]],
  ["pass ls", []],
  ["pass insert x", []],
  ["op read op://a/b", ["read.store", "prints secret"]],
  ["op item get x", ["read.store", "prints secret"]],
  ["op run -- rm x", ["delete /repo/x"]],
  ["security find-generic-password -w -s x", ["read.store", "prints secret"]],
  ["aws secretsmanager get-secret-value --secret-id x", ["read.store", "prints secret"]],
  ["aws --region x ssm get-parameter --name x", ["read.store", "prints secret"]],
  ["gcloud secrets versions access latest", ["read.store", "prints secret"]],
  ["gcloud auth print-access-token", ["read.store", "prints secret"]],
  ["az keyvault secret show --name x", ["read.store", "prints secret"]],
  ["vault kv get secret/x", ["read.store", "prints secret"]],
  ["gh auth token", ["read.store", "prints secret"]],
  ["gh auth status", []],
  ["gh auth status --show-token", ["read.store", "prints secret"]],
  ["kubectl get secret x -o yaml", ["read.store", "prints secret"]],
  ["kubectl get secret/x -ojsonpath={.data}", ["read.store", "prints secret"]],
  ["kubectl config view --raw", ["read.store", "prints secret"]],
  ["gpg --export-secret-keys", ["read.store", "prints secret"]],
  ["gpg -d x.gpg", ["read /repo/x.gpg", "prints decoded"]],
  ["sops -d x.yaml", ["read.store", "prints secret"]],
  ["ssh-keygen -y -f x/.ssh/k", ["read /repo/x/.ssh/k", "prints secret"]],
  ["ps auxe", ["prints environment"]],
  ["ps -ef", []],
  ["aws s3 cp a.env s3://x/", ["read /repo/a.env", "send.secret s3://x/"]],
  ["gh gist create a.env", ["read /repo/a.env", "send.secret"]],
  ["docker push x/y", ["publish.package x/y"]],
  ["docker cp a.env c:/x", ["read /repo/a.env"]],
  ["docker cp c:/x /etc/x", ["write /etc/x"]],
  ["psql -c '\\! rm -rf /'", ["run rm -rf /"]],
  [`psql -c "COPY x TO PROGRAM 'id'"`, ["run id"]],
  ["pg_dump x", ["prints folder"]],
])("%s does %j", (command, expected) => {
  expect(programEffects(command)).toEqual(expected);
});

test("what a shell runs that a program prints for it has no class", () => {
  expect(programEffects("kubectl completion bash")).toEqual([]);
  expect(programEffects("ssh-agent -s")).toEqual([]);
});

test("statements that come in are read", () => {
  expect(programEffects("psql", { input: "DROP TABLE x;" })).toEqual(["destroy_remote"]);
  expect(programEffects("psql -f a.sql", { contents: { "/repo/a.sql": "TRUNCATE x" } })).toEqual([
    "read /repo/a.sql",
    "destroy_remote",
  ]);
  expect(programEffects("redis-cli", { input: "flushall" })).toEqual(["destroy_remote"]);
});
