// SPDX-License-Identifier: Apache-2.0
/** A directory service over HTTP under steady load and bursts: what each pool loses, and where a request's time goes. */
@NullMarked
package io.flexpool.benchmarks.directory;

import org.jspecify.annotations.NullMarked;
