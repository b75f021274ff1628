/*
 * device_list.h: the devices of this build. DEVICE(name): its operations are dgm_device_<name>.
 */
DEVICE(cpu)
#ifdef DGM_HAVE_OPENCL
DEVICE(opencl)
#endif
