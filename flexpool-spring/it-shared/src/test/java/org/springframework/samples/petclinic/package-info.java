// SPDX-License-Identifier: Apache-2.0
/** An application of Spring PetClinic's shape, for tests of call sites. */
package org.springframework.samples.petclinic;
