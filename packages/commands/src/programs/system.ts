import { isKnown, UNKNOWN } from "../values.ts";
import type { Call, Programs, Row } from "./row.ts";

const TABLES_OF_RULES: Row = {
  values: "t table p s d i o j m A append D delete I insert P policy R replace",
  switches: "flush delete-chain",
  harmless: "L list S list-rules C check h",
  effects: "firewall",
  when: { "F flush X delete-chain P policy": { effects: "firewall.flush" } },
};

/** Disks, processes, services, users, and what starts later. */
export const SYSTEM: Programs = {
  dd: { run: copyBlocks, prints: "nothing" },
  "mkfs mke2fs mkswap mkdosfs mkntfs newfs blkdiscard diskpart grub-install": {
    harmless: "n",
    run: onDevices,
  },
  badblocks: { values: "b c d e i o p t", when: { w: { run: onDevices } } },
  wipefs: {
    values: "o offset t types",
    harmless: "n no-act",
    when: { "a all o offset": { run: onDevices } },
  },
  "fdisk sfdisk gdisk sgdisk cfdisk parted cgdisk": {
    values: "a b o t n d c s",
    switches: "script delete zap-all",
    harmless: "l list d dump p print V verify n no-act B backup",
    run: (call) => {
      if (
        call.operands.slice(1).some((word) => !/^(?:print|unit|[kmgt]i?b|s|free|help)$/i.test(word)) ||
        (call.operands.length === 1 && (call.name !== "parted" || call.input !== ""))
      )
        onDevices(call);
    },
  },
  hdparm: {
    run: (call) => onOption(call, /^--(?:security-erase|trim-sector|make-bad-sector|format-track)/, "device"),
  },
  "nvme diskutil": {
    run: (call) => {
      const isErasing =
        /^(?:format|sanitize|write-zeroes|erase\w*|partitionDisk|secureErase|zeroDisk|deleteContainer|deleteVolume|reformat)$/;
      if (call.operands.slice(0, 2).some((word) => isErasing.test(word))) onDevices(call);
    },
  },
  "lvremove vgremove pvremove lvreduce": {
    values:
      "S select reportformat config devicesfile devices profile L size l extents A autobackup commandprofile driverloaded",
    switches: "yes force",
    harmless: "t test h longhelp",
    run: (call) => {
      if (call.operands.length > 0 || call.has("S select")) call.effectOn("device.volume", ...call.operands);
    },
  },
  "zfs zpool btrfs lvm cryptsetup mdadm vssadmin wbadmin": {
    harmless: "n dry-run t test",
    run: removeVolume,
  },
  "shutdown reboot halt poweroff": {
    values: "t",
    harmless: "c k w wtmp-only show a",
    effects: "power",
  },
  "init telinit": {
    run: (call) => {
      if (/^[016sS]$/.test(call.operands[0] ?? "")) call.effect("power");
    },
  },
  kexec: { harmless: "l load u unload s", effects: "power" },
  kill: { run: killProcesses },
  xkill: { style: "dash", values: "id display button frame", when: { all: { effects: "process.all" } } },
  "pkill killall taskkill": {
    values:
      "s signal u user U uid g pgroup G group P parent t terminal o older-than y younger-than IM im PID pid",
    harmless: "l list L",
    run: (call) => {
      const isAll =
        call.value("u user U uid") !== undefined ||
        call.operands.some((name) => /^(?:\.?[*+]?|\^)$/.test(name));
      call.effectOn(isAll ? "process.all" : "process", ...call.operands);
    },
  },
  killall5: { effects: "process.all" },
  "loginctl pmset": {
    run: (call) => {
      const [command = ""] = call.operands;
      if (/^(?:terminate|kill)-/.test(command)) call.effect("process.all");
      else if (POWER.test(command)) call.effect("power");
    },
  },
  "systemctl service rc-service initctl launchctl sc": {
    values: "p property t type s signal H host M machine n lines o output job-mode what when",
    harmless: "dry-run",
    run: changeService,
  },
  "chkconfig update-rc.d": { harmless: "list", effects: "service", operands: "name*" },
  "iptables ip6tables arptables ebtables": TABLES_OF_RULES,
  "iptables-restore ip6tables-restore": { harmless: "t test", effects: "firewall.flush" },
  "nft ufw pfctl firewall-cmd ipset netsh": {
    values: "f file",
    harmless: "dry-run c check n list-all state list-services list-ports",
    run: changeFirewall,
  },
  "useradd adduser usermod userdel deluser groupadd groupmod groupdel addgroup delgroup gpasswd chsh chfn newusers vigr vipw visudo dscl sysadminctl":
    {
      values: "c b d home e f g G k K s u p password R P",
      harmless: "c check",
      effects: "user",
      run: (call) => {
        if (call.values("p password").length > 0) call.effect("user.password");
        const [name] = call.operands;
        if (
          /^(?:userdel|deluser)$/.test(call.name) &&
          call.has("r remove remove-home f") &&
          name !== undefined
        )
          call.effect("delete.recursive", `/home/${name}`);
      },
    },
  "passwd chpasswd": { harmless: "S status", effects: "user.password" },
  crontab: {
    values: "u",
    harmless: "l",
    effects: "schedule",
    run: (call) => {
      if (call.has("r")) call.effect("delete", "/var/spool/cron");
      const [file] = call.operands;
      const text = file === undefined || file === "-" ? call.input : call.contentOf(file);
      for (const [, command = ""] of text.matchAll(/^[ \t]*(?:@\w+[ \t]+|(?:[\d*/,-]+[ \t]+){5})(.+)$/gm))
        call.startText(command);
    },
  },
  "at batch": {
    values: "q f t",
    harmless: "l c v r d V",
    effects: "schedule",
    run: (call) => {
      const file = call.value("f");
      call.startText(file === undefined ? call.input : call.contentOf(file));
    },
  },
  schtasks: { effects: "schedule", harmless: "query" },
  "systemd-run": {
    style: "posix",
    values:
      "u unit p property slice description service-type uid gid nice working-directory E setenv on-active on-boot on-startup " +
      "on-unit-active on-unit-inactive on-calendar timer-property path-property socket-property H host M machine",
    operands: "program",
    when: {
      "on-active on-boot on-startup on-calendar on-unit-active on-unit-inactive": { effects: "schedule" },
    },
  },
};

const POWER =
  /^(?:poweroff|reboot|halt|kexec|soft-reboot|suspend|hibernate|hybrid-sleep|emergency|rescue|exit|sleepnow|shutdown)$/;

/** What may be a device: an image file is none. */
function onDevices(call: Call): void {
  const devices = call.words.filter(
    (word) => /^(?:\/dev\/|\\\\\.\\|\/?[a-z]:$)/i.test(word) || (!isKnown(word) && !word.startsWith("-")),
  );
  if (devices.length > 0) call.effect("device", ...devices);
  else if (call.name === "diskpart") call.effect("device", UNKNOWN);
  else for (const file of call.operands.slice(-1)) if (file.includes(".")) call.write(file, UNKNOWN);
}

function onOption(call: Call, expression: RegExp, effect: "device"): void {
  if (call.words.some((word) => expression.test(word)))
    call.effect(effect, ...call.operands.filter((word) => word.startsWith("/dev/")));
}

/** `dd if=FROM of=TO`. Without an end it fills the disk. */
function copyBlocks(call: Call): void {
  const settingOf = (key: string) =>
    call.words.findLast((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
  const [from, to] = [settingOf("if"), settingOf("of")];
  const content = from === undefined ? call.input : call.read(from);
  if (to === undefined) call.print(content);
  else call.write(to, content);
  const isEndless = /^\/dev\/(?:zero|u?random)$/.test(from ?? "") && settingOf("count") === undefined;
  if (isEndless && to !== undefined && !to.startsWith("/dev/")) call.effect("exhaust");
}

const VOLUME_COMMANDS =
  /^(?:destroy|labelclear|lvremove|vgremove|pvremove|luksFormat|luksErase|erase|luksRemoveKey|luksKillSlot|reencrypt|delete|rollback)$/;

function removeVolume(call: Call): void {
  const commands = call.operands.slice(0, 2);
  const isSubvolume = call.name !== "btrfs" || /^(?:subvolume|device)$/.test(commands[0] ?? "");
  const isZeroed = call.words.some((word) => /^--(?:zero-superblock|erase)$/.test(word));
  if ((isSubvolume && commands.some((word) => VOLUME_COMMANDS.test(word))) || isZeroed)
    call.effectOn("device.volume", ...call.operands.slice(1));
}

/** `-1` as a process is all of them, `1` is the first. */
function killProcesses(call: Call): void {
  if (call.words.some((word) => /^(?:-l|-L|--list|--table|-0)$/.test(word))) return;
  const processes = call.words.filter(
    (word, index) => !word.startsWith("-") && !/^-(?:s|n|-signal)$/.test(call.words[index - 1] ?? ""),
  );
  const isAll = /^-1$/.test(call.words.at(-1) ?? "") || processes.includes("1");
  call.effectOn(isAll ? "process.all" : "process", ...processes);
}

function changeService(call: Call): void {
  const words = /^(?:service|rc-service)$/.test(call.name) ? [...call.operands].reverse() : call.operands;
  const [command = "", ...names] = words;
  const READING =
    /^(?:status|show|list.*|cat|is-.*|help|print.*|blame|query.*|get-default|show-environment|check|\+)$/;
  if (call.value("when") === "cancel") return;
  if (
    POWER.test(command) ||
    (command === "isolate" && /rescue|emergency|reboot|poweroff|halt/.test(names[0] ?? ""))
  )
    call.effect("power");
  else if (
    /^(?:stop|disable|mask|kill)$/.test(command) &&
    names.some((name) => /^(?:ufw|firewalld|iptables|nftables)\b/.test(name))
  )
    call.effect("firewall.flush");
  else if (command !== "" && !READING.test(command)) call.effectOn("service", ...names);
}

function changeFirewall(call: Call): void {
  const text = call.words.join(" ");
  const isFlushed =
    /^(?:(?:-\S+ )*flush\b|(?:-\S+ )*delete table|disable|(?:--force )?(?:disable|reset)|-F|-d\b|--panic-on|destroy|advfirewall .*state off|advfirewall reset)/.test(
      text,
    );
  const isRead = /^(?:(?:-\S+ )*list\b|status|show|-s\b|--(?:list|get|query|state))|\bshow\b/.test(text);
  if (isFlushed) call.effect("firewall.flush");
  else if (text !== "" && !isRead && (call.name !== "netsh" || text.includes("firewall")))
    call.effect("firewall");
}
