# Copyright (C) 2026 The gsltune authors.  GPL-3.0-or-later, see COPYING.

import os

from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Gsltune(AutotoolsPackage, CudaPackage):
    """Tuned sums, extremes, dot products, norms and statistics for the GNU
    Scientific Library, on CPUs and CUDA GPUs. Sums are exact by default:
    rounded once, with the same bits on every machine."""

    # The tarball lies in the folder where spack is called.
    manual_download = True
    url = f"file://{os.getcwd()}/gsltune-0.1.0.tar.gz"

    license("GPL-3.0-or-later", checked_by="the authors")

    version("0.1.0")

    variant("mpi", default=False, description="Build libgsltune_mpi, sums over many processes")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("highway@1:", type="build")
    depends_on("gsl@2.7:")
    depends_on("hwloc@2:")
    depends_on("jansson@2.10:")
    depends_on("mpi@3:", when="+mpi")
    depends_on("cuda@12:", type="build", when="+cuda")
    depends_on("cmocka@1.1:", type="test")
    depends_on("mpfr@4:", type="test")

    conflicts("target=x86", msg="gsltune needs 128-bit integers")

    def configure_args(self):
        spec = self.spec
        args = self.enable_or_disable("mpi")
        if spec.satisfies("+mpi"):
            args.append(f"MPICC={spec['mpi'].mpicc}")
        if spec.satisfies("+cuda"):
            args.append(f"--with-cuda={spec['cuda'].prefix}")
            if not spec.satisfies("cuda_arch=none"):
                args.append("--with-cuda-arch=" + ",".join(spec.variants["cuda_arch"].value))
        else:
            args.append("--without-cuda")
        return args
