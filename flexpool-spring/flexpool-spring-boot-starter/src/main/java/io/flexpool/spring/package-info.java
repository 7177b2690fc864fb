// SPDX-License-Identifier: Apache-2.0
/** flexpool in Spring Boot: wraps every data source bean that has a pool behind it. */
@NullMarked
package io.flexpool.spring;

import org.jspecify.annotations.NullMarked;
