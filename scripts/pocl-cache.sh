# pocl-cache.sh: sourced by scripts that run tests: names the folder where PoCL keeps what it has
# compiled, PoCL's own choice. Else tests that move XDG_CACHE_HOME would compile everything again.
if test -z "${POCL_CACHE_DIR-}" && test -n "${XDG_CACHE_HOME-}${HOME-}"; then
    POCL_CACHE_DIR=${XDG_CACHE_HOME:-$HOME/.cache}/pocl/kcache
    export POCL_CACHE_DIR
fi
