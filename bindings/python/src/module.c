/* module.c - the module pixverlet._core: its classes and functions.
 *
 * Invariant: the module is created once per process.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "values.h"

static PyMethodDef functions[] = {
    PVPY_METHOD("from_surface", pvpy_mask_from_surface, "Creates a mask of the opaque pixels."),
    PVPY_METHOD("from_threshold", pvpy_mask_from_threshold, "Creates a mask of similar colors."),
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "pixverlet._core",
                                        .m_size = -1, .m_methods = functions};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void) {
    pvpy_measure_prepare();
    PyObject *module = PyModule_Create(&definition);
    if (module && pvpy_error_register(module) && pvpy_mask_register(module) &&
        pvpy_world_register(module) &&
        PyModule_AddStringConstant(module, "__version__", pv_version()) == 0)
        return module;
    Py_XDECREF(module);
    return NULL;
}
