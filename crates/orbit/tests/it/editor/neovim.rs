//! A real editor, without a screen: Neovim, where it is installed.

use crate::command::Folder;
use crate::counts::note;
use std::process::Command;

/// What the editor does: it starts the server, waits for a message, and jumps to a definition.
const SCRIPT: &str = r#"
local function say(words)
  local out = io.open(vim.env.ORBIT_SAID, "a")
  out:write(words, "\n")
  out:close()
end
local ok, why = pcall(function()
  vim.cmd("edit " .. vim.env.ORBIT_MODEL)
  vim.bo.filetype = "promela"
  local id = vim.lsp.start_client({
    name = "orbit",
    cmd = { vim.env.ORBIT_PROGRAM, "lsp" },
    root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(0, id)
  local told = vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 50)
  say("told " .. tostring(told))
  local first = vim.diagnostic.get(0)[1]
  say(string.format("%d:%d: %s", first.lnum + 1, first.col + 1, first.message))
  vim.api.nvim_win_set_cursor(0, { 4, 1 })
  vim.lsp.buf.definition()
  local jumped = vim.wait(30000, function()
    return vim.api.nvim_win_get_cursor(0)[1] == 1
  end, 50)
  local at = vim.api.nvim_win_get_cursor(0)
  say(string.format("jumped %s to %d:%d", tostring(jumped), at[1], at[2] + 1))
end)
if not ok then say("error: " .. tostring(why)) end
vim.cmd("qall!")
"#;

#[test]
fn neovim_shows_a_message_and_jumps_to_a_definition() {
    let version = Command::new("nvim").arg("--version").output();
    if version.is_err() {
        return note("editor: skipped: nvim is not there\n");
    }
    let folder = Folder::new("editor-neovim");
    let model = folder.write(
        "model.pml",
        "byte shared;\nactive proctype P()\n{\n\tshared = 1;\n\tother = 2\n}\n",
    );
    let script = folder.write("script.lua", SCRIPT);
    let said = folder.path("said");
    let ended = Command::new("nvim")
        .args(["--headless", "--clean", "-n", "-i", "NONE", "-c"])
        .arg(format!("luafile {script}"))
        .env("ORBIT_PROGRAM", env!("CARGO_BIN_EXE_orbit"))
        .env("ORBIT_MODEL", &model)
        .env("ORBIT_SAID", &said)
        .env("XDG_STATE_HOME", folder.path("state"))
        .env("XDG_DATA_HOME", folder.path("data"))
        .env("XDG_CACHE_HOME", folder.path("cache"))
        .output()
        .expect("it starts");
    let said = std::fs::read_to_string(&said).unwrap_or_default();
    let expected = "told true\n5:2: `other` is not declared\njumped true to 1:6\n";
    assert_eq!(said, expected, "{}", String::from_utf8_lossy(&ended.stderr));
}
